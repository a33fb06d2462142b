// Asking the house over HTTP. Every change carries the session's token and an id, so that it is done once however often it is sent.

import { PROTOCOL, type Acted, type Problem as Told } from './contract';
import { said, type Code, type Message } from './messages.svelte';

/** What the house says when something cannot be done (RFC 9457), with the clause and what can be done instead. */
export class Problem extends Error {
  readonly remedy: Message | null;

  constructor(
    readonly status: number,
    readonly says: Message,
    remedy: Message | null = null,
    readonly clause = '',
  ) {
    super(said(says));
    this.remedy = FOR_PROGRAMS.test(said(remedy)) ? null : remedy;
  }
}

const FOR_PROGRAMS = /\b(GET|POST|PUT|DELETE) \/api\//; // a remedy that names what to ask of the API is of no use to whoever reads the page

/** A problem that the page itself has to tell of. */
export function ownProblem(status: number, says: Code, remedy?: Code): Problem {
  return new Problem(status, { code: says, args: {} }, remedy ? { code: remedy, args: {} } : null);
}

let token = '';

/** The session's token, as signing in gave it; "" once signed out. */
export function useToken(csrf: string): void {
  token = csrf;
}

/** A new id for a command; ids of one page never repeat. It begins with the time, as a UUID of version 7 does: so the store writes it beside others of the moment. */
export function newId(): string {
  const chance = crypto.randomUUID().replaceAll('-', '').slice(12);
  return Date.now().toString(16).padStart(12, '0') + chance;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answer<T>(await reach(path, { headers: { Accept: 'application/json' }, ...(signal ? { signal } : {}) }));
}

/** As `get`, without saying who asks: for what anybody may see and what is asked again and again, so that it keeps no session open. */
export async function look<T>(path: string): Promise<T> {
  return answer<T>(await reach(path, { headers: { Accept: 'application/json' }, credentials: 'omit' }));
}

export async function send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token) headers[PROTOCOL.TOKEN_HEADER] = token;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  return answer<T>(await reach(path, init));
}

/** What the house writes for keeping: a document, a sheet. */
export async function written(path: string, body: object): Promise<Blob> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token) headers[PROTOCOL.TOKEN_HEADER] = token;
  const response = await reach(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.ok ? response.blob() : answer<Blob>(response);
}

/** As `send`, for what is done once: the id goes into the body. */
export function act<T = Acted>(method: 'POST' | 'PUT', path: string, body: object = {}, id = newId()): Promise<T> {
  return send<T>(method, path, { id, ...body });
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw ownProblem(0, 'page.parts.no-connection', 'page.parts.check-connection');
  }
}

async function answer<T>(response: Response): Promise<T> {
  const text = await response.text();
  const told: unknown = text && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null;
  if (response.ok) return told as T;
  throw problemOf(response.status, (told ?? { title: response.statusText }) as Partial<Told>);
}

/** A problem as the house tells it; whatever stands between us and the house, such as a proxy, has only a title. */
export function problemOf(status: number, { message, title = '', remedy, clause }: Partial<Told>): Problem {
  return new Problem(status, message ?? { code: 'as-told', args: { text: title } }, remedy, clause);
}
