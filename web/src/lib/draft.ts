/** A command that is still being put together: its name, and what is known of it. The forms for it come from the house. */
export type Draft = { command: string } & Record<string, unknown>;
