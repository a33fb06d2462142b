// Names of every game of the house, for pages that tell of all its tables.

import { get } from './api';
import { useNames } from './localization';
import type { GameEntry, GamePage } from './contract';

let learned: Promise<unknown> | null = null;

export function learnNames(): void {
  learned ??= get<GameEntry[]>('/api/games')
    .then((games) => Promise.all(games.map(async ({ id }) => useNames((await get<GamePage>(`/api/games/${encodeURIComponent(id)}`)).rules))))
    .catch(() => (learned = null)); // whoever comes next asks again; until then they are told by their ids
}
