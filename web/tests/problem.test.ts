import { describe, expect, it } from 'vitest';
import { ownProblem, Problem, problemOf } from '../src/lib/api';

describe('a problem', () => {
  it('says what can be done, where a reader can do it', () => {
    expect(new Problem(409, { code: 'betting-closed', args: { round: 7 } }, { code: 'bet-next-round', args: {} }, 'BET-1').remedy).toEqual({ code: 'bet-next-round', args: {} });
  });

  it('keeps to itself what only a program could do', () => {
    expect(new Problem(403, { code: 'csrf-token-missing', args: { header: 'X-CSRF-Token' } }, { code: 'csrf-token-from-session', args: {} }).remedy).toBeNull();
  });

  it('is told by its message, not by the English for programs', () => {
    const message = { code: 'list-of-two', args: { first: 'Player', second: 'Banker' } };
    expect(problemOf(409, { message, title: 'Refused', detail: 'x', remedy: null, clause: 'DT-5.6b' })).toMatchObject({ message: 'Player and Banker', says: message, remedy: null, clause: 'DT-5.6b' });
  });

  it('falls back on its title, where somebody else than the house answers', () => {
    expect(problemOf(502, { title: 'Bad gateway' }).message).toBe('Bad gateway');
  });

  it('is one of the catalogue where the page itself has it', () => {
    expect(ownProblem(0, 'page.parts.no-connection').message).toBe('No connection to the house.');
  });
});
