// Where things of the audit are shown: each record and each account has an address of its own.

export const recordPath = (trail: string, sequence: number): string => `/audit/record/${sequence}/${encodeURIComponent(trail)}`;
export const accountPath = (account: string): string => `/audit/account/${encodeURIComponent(account)}`;
