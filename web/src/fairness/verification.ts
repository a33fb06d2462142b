// A revealed shuffle, checked step by step with the program of the offline page.

import type { Text } from '../lib/language.svelte';
import type { RevealedShuffle } from '../lib/contract';
import { checkShuffle, order, selfTest, vectors, type Finding } from 'virtual:shuffle-core';
import { FINDINGS, TEXTS } from './texts';

export type Mark = 'good' | 'bad' | 'remark';
export type Step = { mark: Mark; title: Text; says: Text; values: Record<string, string | number> };
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
  return { mark: good ? 'good' : 'bad', title: TEXTS.program, says: good ? TEXTS.programGood : TEXTS.programBad, values: { right, n: total } };
}

function seen(shuffle: RevealedShuffle, noted: string | null): Step {
  if (noted === null) return { mark: 'remark', title: TEXTS.seen, says: TEXTS.seenNot, values: {} };
  const same = noted === shuffle.commitment;
  return { mark: same ? 'good' : 'bad', title: TEXTS.seen, says: same ? TEXTS.seenGood : TEXTS.seenBad, values: { noted } };
}

const TITLES: Record<string, Text> = {
  'commitment-holds': TEXTS.commitment, 'commitment-broken': TEXTS.commitment, 'cards-follow': TEXTS.order, 'card-differs': TEXTS.order,
  'too-many-cards': TEXTS.order, 'no-cards': TEXTS.order, 'faces-untold': TEXTS.order,
};

function step(finding: Finding): Step {
  const { mark, says, ...values } = finding;
  return {
    mark: mark === 'trace' ? 'bad' : mark,
    title: TITLES[says] ?? TEXTS.contributions,
    says: FINDINGS[says as keyof typeof FINDINGS] ?? [says, says],
    values,
  };
}
