// What is spoken to those who listen instead of looking: one live region for the whole page (parts/Announcer.svelte).

class Announcer {
  polite = $state('');
  urgent = $state('');

  /** Said when the screen reader is free: calls, cards, results. */
  say(text: string): void {
    this.polite = this.polite === text ? `${text}\u00a0` : text;
  }

  /** Said at once: refusals, and what stops the game. */
  warn(text: string): void {
    this.urgent = this.urgent === text ? `${text}\u00a0` : text;
  }
}

export const announcer = new Announcer();
