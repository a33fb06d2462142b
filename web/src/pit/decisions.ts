// Which commands the pit gives by the forms that are made from them: those that have no place of their own on its page.

import { groupOf, OF_THE_DIFFERENTIAL } from '../dealer/commands';
import type { Acts } from '../lib/contract';

/** What the page of the pit has its own forms for, and what is the dealer's in the course of a round. */
const ELSEWHERE = new Set([
  'suspend-table', 'resume-table', 'close-table', 'open-table', 'change-settings', 'request-chips', 'issue-chips', 'deliver-chips', 'accept-chips', 'recount-chips', 'void-chip-request',
  'assign-staff', 'free-seat', 'grant-maximum', 'approve-nominee', 'announce-nominee', 'end-nominee', 'grant-squeeze', 'cap-area',
  ...OF_THE_DIFFERENTIAL,
]);

/** What goes wrong at a table is reported at the dealer's console, which walks through its procedure. */
function isReport(command: string): boolean {
  return groupOf(command) === 'irregularity' && !['report-incident', 'record-unpaid-loss'].includes(command);
}

/** The names of what may be done now, each once. */
export function decisions(acts: Acts, canAsk: (command: string) => boolean): string[] {
  const names = [...acts.ready.map((each) => each.command), ...acts.told];
  return [...new Set(names)].filter((each) => !ELSEWHERE.has(each) && !isReport(each) && canAsk(each));
}
