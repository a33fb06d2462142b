// Where each command belongs on the console. What it is called is in the catalogue: `command.<name>`, and `hint.<name>` for some.

import { hasWord, word, type Code } from '../lib/messages.svelte';

export type Group = 'deal' | 'shoe' | 'decision' | 'irregularity' | 'wagers' | 'patrons' | 'chips' | 'confirmation' | 'house';

const COMMANDS: Record<Group, readonly string[]> = {
  deal: [
    'call-place-your-bets', 'call-no-more-bets', 'draw-card', 'pass-hands', 'pass-to-spot', 'refuse-hand', 'choose-first-hand', 'reveal-hand', 'correct-card', 'announce-totals', 'enter-unread-card',
    'announce-result', 'settle-round', 'abandon-round', 'confirm-deal',
  ],
  shoe: [
    'verify-cards', 'load-shoe', 'report-cutting-card', 'end-shoe', 'new-shoe', 'deal-by-hand', 'deal-from-source',
  ],
  house: [
    'take-the-deal', 'give-back', 'suspend-table', 'resume-table', 'change-settings',
    'assign-staff', 'grant-maximum', 'cap-area', 'close-table',
  ],
  decision: [
    'judge-irregularity', 'make-ruling', 'attend-search', 'name-holder', 'grant-squeeze', 'answer-withdrawal-offer', 'close-withdrawal-offer', 'reserve-cards', 'sort-cards',
    'substitute-cards', 'retrieve-hand',
  ],
  irregularity: [
    'report-irregularity', 'report-incident', 'draw-cards-together', 'report-drawn-in-error', 'report-mislaid-cards', 'report-mispassed-hand', 'expose-cards',
    'report-face-up-card', 'reveal-for-absent', 'report-missing-cards', 'reset-device', 'report-power-failure', 'report-malfunction',
    'cancel-expired-round', 'report-off-limits-wager', 'report-late-chips', 'report-lifted-wager', 'record-unpaid-loss', 'report-unentered-chips',
  ],
  wagers: [
    'place-wager', 'take-wager-back', 'speak-wager', 'set-spoken-wager', 'change-returned-wager', 'remove-wager',
    'scale-back', 'leave-differential',
  ],
  patrons: [
    'buy-in', 'cash-out', 'collect-commission', 'correct-payment', 'raise-dispute', 'add-statement', 'rule-on-dispute', 'approve-nominee', 'announce-nominee', 'end-nominee', 'order-in-person', 'lift-in-person-order',
    'free-seat',
  ],
  chips: [ // which have a place of their own
    'request-chips', 'issue-chips', 'deliver-chips', 'accept-chips', 'recount-chips', 'void-chip-request',
  ],
  confirmation: ['confirm-report', 'reject-report'], // with the report that waits
};
const GROUPS = new Map(Object.entries(COMMANDS).flatMap(([group, names]) => names.map((name) => [name, group as Group])));

/** The group of a command; one that is in no list is the house's: nothing that is offered is hidden. */
export function groupOf(command: string): Group {
  return GROUPS.get(command) ?? 'house';
}

export function titleOf(command: string): string {
  return word('command', command);
}

/** What to know before it is done; "" where nothing is. */
export function hintOf(command: string): string {
  return hasWord('hint', command) ? word('hint', command) : '';
}

/** What the dealer says aloud with a command. */
export const CALLS: Readonly<Record<string, Code>> = {
  'call-place-your-bets': 'page.dealer.call-place-your-bets',
  'call-no-more-bets': 'page.dealer.call-no-more-bets',
};

/** What a dealer does in the course of a round, the nearest to its end first: of what the house accepts now, the first is next. */
export const IN_ORDER = [
  'settle-round', 'enter-unread-card', 'announce-result', 'announce-totals', 'scale-back', 'pass-hands', 'reveal-hand', 'draw-card', 'call-no-more-bets',
  'call-place-your-bets', 'load-shoe', 'verify-cards', 'take-the-deal',
] as const;

/** What follows upon a report, in the order in which it is done. */
export const FOLLOW_UPS = [
  'scale-back', 'leave-differential', 'retrieve-hand', 'attend-search', 'reserve-cards', 'substitute-cards', 'sort-cards', 'judge-irregularity', 'make-ruling', 'name-holder', 'answer-withdrawal-offer', 'close-withdrawal-offer',
  'remove-wager', 'resume-table',
] as const;

/** The steps by which a table differential comes down; they have a place of their own. */
export const OF_THE_DIFFERENTIAL: readonly string[] = ['scale-back', 'leave-differential', 'remove-wager'];

/** Reports that every game has, whatever its file says of them. */
export const ALWAYS = ['report-drawn-in-error', 'report-late-chips', 'report-lifted-wager', 'report-unentered-chips', 'report-incident'] as const;
