// Where things of the audit are shown: each record and each account has an address of its own.

export const recordPath = (trail: string, sequence: number): string => `/audit/record/${sequence}/${encodeURIComponent(trail)}`;
export const accountPath = (account: string): string => `/audit/account/${encodeURIComponent(account)}`;

/** A moment in the reader's own time, with the date. */
export function moment(at: number): string {
  const time = new Date(at);
  const two = (n: number, digits = 2): string => String(n).padStart(digits, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${two(time.getMilliseconds(), 3)}`;
}
