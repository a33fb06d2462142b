// What kind of house this is: asked once, and again until it answers.

import { get } from './api';
import { useDecimals } from './localization';
import type { Welcome } from './contract';

class House {
  welcome = $state<Welcome | null>(null);
  #asking = false;

  async look(): Promise<void> {
    if (this.welcome || this.#asking) return;
    this.#asking = true;
    try {
      this.welcome = await get<Welcome>('/api/house');
      useDecimals(this.welcome.decimals);
    } catch {
      // the next one who looks asks again
    } finally {
      this.#asking = false;
    }
  }
}

export const house = new House();
