// Goes through the frames of a round: by hand, or by itself.

import { still } from '../lib/motion.svelte';
import type { Frame } from './replay';

const EACH_MS = 1100;

export class Player {
  frames = $state.raw<Frame[]>([]);
  place = $state(0);
  playing = $state(false);
  #timer: ReturnType<typeof setInterval> | undefined;

  get frame(): Frame | undefined {
    return this.frames[this.place];
  }

  get end(): number {
    return Math.max(0, this.frames.length - 1);
  }

  /** Starts to play at once, unless nothing should move. */
  load(frames: Frame[]): void {
    this.frames = frames;
    this.place = still() ? this.end : 0;
    if (!still()) this.play();
  }

  go(place: number): void {
    this.pause();
    this.place = Math.min(this.end, Math.max(0, place));
  }

  play(): void {
    if (this.place >= this.end) this.place = 0;
    this.playing = true;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      this.place = Math.min(this.end, this.place + 1);
      if (this.place >= this.end) this.pause();
    }, EACH_MS);
  }

  pause(): void {
    this.playing = false;
    clearInterval(this.#timer);
  }
}
