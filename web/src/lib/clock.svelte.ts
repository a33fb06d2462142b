// The house's time: every message of the house says when it was, and the page reckons with that, not with its own clock.

class HouseClock {
  #offset = 0; // of the house's clock to ours, in milliseconds
  #known = false;
  now = $state(Date.now());

  constructor() {
    setInterval(() => (this.now = this.read()), 250);
  }

  /** The house has said what time it is. A message can only be late, so the largest offset is the best one. */
  heard(at: number): void {
    const offset = at - Date.now();
    if (!this.#known || offset > this.#offset || Math.abs(offset - this.#offset) > 5000) {
      this.#offset = offset;
      this.#known = true;
      this.now = this.read();
    }
  }

  /** The house's time at this moment. */
  read(): number {
    return Date.now() + this.#offset;
  }
}

export const clock = new HouseClock();

/** h:mm:ss of so many milliseconds. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
