import { describe, expect, it } from 'vitest';
import { ownProblem, Problem, problemOf } from '../src/lib/api';

describe('a problem', () => {
  it('says what can be done, where a reader can do it', () => {
    expect(new Problem(409, 'Too late.', 'Bet in the next round.', 'BET-1').remedy).toBe('Bet in the next round.');
  });

  it('keeps to itself what only a program could do', () => {
    expect(new Problem(404, "No table is called 'T9'.", 'GET /api/tables lists them.').remedy).toBe('');
  });

  it('is told by its code, and by its detail where it has none', () => {
    expect(problemOf(409, { code: 'list-of-two', args: { first: 'Player', second: 'Banker' }, detail: 'x' }).message).toBe('Player and Banker');
    expect(problemOf(409, { title: 'Refused', detail: 'Too late.', remedy: null, clause: 'DT-5.6b' })).toMatchObject({ says: 'Too late.', remedy: '', clause: 'DT-5.6b' });
  });

  it('falls back on its title', () => {
    expect(problemOf(502, { title: 'Bad gateway' }).message).toBe('Bad gateway');
  });

  it('is one of the catalogue where the page itself has it', () => {
    expect(ownProblem(0, 'page.parts.no-connection').message).toBe('No connection to the house.');
  });
});
