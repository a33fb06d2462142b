// A revealed shuffle, checked step by step with the program of the offline page.

import { t, word, type Code } from '../lib/messages.svelte';
import type { RevealedShuffle } from '../lib/contract';
import { checkShuffle, order, selfTest, vectors, type Finding } from 'virtual:shuffle-core';

export type Mark = 'good' | 'bad' | 'remark';
export type Step = { mark: Mark; title: Code; says: () => string };
export type Verification = { agrees: boolean; steps: Step[]; order: string[] };

export function verify(shuffle: RevealedShuffle, noted: string | null): Verification {
  const found = checkShuffle(shuffle);
  const steps = [program(), seen(shuffle, noted), ...found.findings.map(step)];
  const agrees = steps.every((each) => each.mark !== 'bad');
  return { agrees, steps, order: found.broken ? [] : order(shuffle.mix, shuffle.secret) };
}

function program(): Step {
  const { right, total } = selfTest(vectors);
  const good = right === total;
  const says = () => (good ? t('page.fairness.program-good', { n: total }) : t('page.fairness.program-bad', { right, n: total }));
  return { mark: good ? 'good' : 'bad', title: 'page.fairness.program', says };
}

function seen(shuffle: RevealedShuffle, noted: string | null): Step {
  if (noted === null) return { mark: 'remark', title: 'page.fairness.seen', says: () => t('page.fairness.seen-not') };
  const same = noted === shuffle.commitment;
  const says = () => (same ? t('page.fairness.seen-good') : t('page.fairness.seen-bad', { noted }));
  return { mark: same ? 'good' : 'bad', title: 'page.fairness.seen', says };
}

const TITLES: Record<string, Code> = {
  'commitment-holds': 'page.fairness.commitment', 'commitment-broken': 'page.fairness.commitment', 'cards-follow': 'page.fairness.order', 'card-differs': 'page.fairness.order',
  'too-many-cards': 'page.fairness.order', 'no-cards': 'page.fairness.order', 'faces-untold': 'page.fairness.order',
};

function step(finding: Finding): Step {
  const { mark, says, ...values } = finding;
  return {
    mark: mark === 'trace' ? 'bad' : mark,
    title: TITLES[says] ?? 'page.fairness.contributions',
    says: () => word('finding', says, values),
  };
}
