// Motion and sound, as the reader wants them. Motion follows the system unless it is chosen here; sound is off until it is wanted.

const MOTION = 'longhu.motion';
const SOUND = 'longhu.sound';

class Manner {
  motion = $state<'system' | 'full' | 'reduced'>(kept());
  sound = $state(localStorage.getItem(SOUND) === 'on');
  #system = matchMedia('(prefers-reduced-motion: reduce)');
  systemStill = $state(this.#system.matches);

  constructor() {
    this.#system.addEventListener('change', (event) => (this.systemStill = event.matches));
    this.#mark();
  }

  chooseMotion(motion: 'system' | 'full' | 'reduced'): void {
    this.motion = motion;
    localStorage.setItem(MOTION, motion);
    this.#mark();
  }

  chooseSound(on: boolean): void {
    this.sound = on;
    localStorage.setItem(SOUND, on ? 'on' : 'off');
  }

  get still(): boolean {
    return this.motion === 'reduced' || (this.motion === 'system' && this.systemStill);
  }

  #mark(): void {
    document.documentElement.classList.toggle('still', this.still);
  }
}

function kept(): 'system' | 'full' | 'reduced' {
  const found = localStorage.getItem(MOTION);
  return found === 'full' || found === 'reduced' ? found : 'system';
}

export const manner = new Manner();

/** Whether nothing should move. */
export function still(): boolean {
  return manner.still;
}
