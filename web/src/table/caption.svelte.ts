// The caption of the last sound, for a moment.

const SHOWN_MS = 1500;

class Caption {
  text = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  show(text: string): void {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.text = ''), SHOWN_MS);
  }
}

export const caption = new Caption();
