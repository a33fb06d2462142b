// Which act comes next: of what the house would accept now, the one that brings the round forward.

import type { Acts, Command } from '../lib/contract';
import { FOLLOW_UPS, IN_ORDER } from './commands';

const BY_HAND: readonly string[] = ['load-shoe', 'verify-cards']; // of a physical shoe
const BETWEEN: readonly string[] = [...BY_HAND, 'take-the-deal']; // what no round waits for

/** A command that can be given, whole or with something to be told; by whom, where it is not the dealer's own. */
export type Act = { name: string; ready: Command[]; position: string };

/** Everything that is open, by command. */
export function openActs(acts: Acts): Act[] {
  return gathered(acts.ready, acts.told, '');
}

/** What waits for somebody in a higher position. */
export function callsFor(acts: Acts): Act[] {
  return acts.above.flatMap((each) => gathered(each.ready, each.told, each.position));
}

function gathered(ready: Command[], told: string[], position: string): Act[] {
  const found = new Map<string, Act>();
  for (const command of ready) {
    const act = found.get(command.command) ?? { name: command.command, ready: [], position };
    act.ready.push(command);
    found.set(command.command, act);
  }
  for (const name of told) if (!found.has(name)) found.set(name, { name, ready: [], position });
  return [...found.values()];
}

/** The act that the dealer should do next; none while the round waits for somebody else. The house loads electronic shoes. */
export function nextAct(acts: Acts, waits: boolean, electronic = false, playing = false, aside = 0): Act | null {
  if (waits) return null;
  const not_now = playing ? BETWEEN : electronic ? BY_HAND : [];
  const open = openActs(acts);
  return first(IN_ORDER.filter((name) => !not_now.includes(name)), open) ?? (aside ? first(['report-drawn-in-error'], open) : null); // cards are over
}

/** What a round that waits is waiting for: the dealer's own steps and those of whoever must be called. */
export function followUps(acts: Acts): Act[] {
  const all = [...openActs(acts), ...callsFor(acts)];
  return FOLLOW_UPS.flatMap((name) => all.filter((act) => act.name === name));
}

function first(order: readonly string[], open: Act[]): Act | null {
  for (const name of order) {
    const found = open.find((act) => act.name === name);
    if (found) return found;
  }
  return null;
}
