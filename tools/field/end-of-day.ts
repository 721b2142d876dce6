import type pg from 'pg';
import type { QueuedCommand } from '../../apps/web/src/lib/commands/stored-command.ts';
import type { Browser } from './browser.ts';
import type { StoredRecord } from './browser-disk.ts';
import type { AcceptedCommand } from './field-server.ts';
import type { FirmMember } from './firm.ts';

/** A stored command, with the browser that stored it and the right time. */
export type DayCommand = StoredRecord & { readonly browser: number };

/** An accepted command, with what the browser has stored of it. */
export type AppliedCommand = AcceptedCommand & DayCommand;

/** Everything that is known at the end of the day. */
export interface EndOfDay {
  readonly database: pg.Client;
  readonly browsers: readonly Browser[];
  /** Every command that a browser has stored, by id. */
  readonly stored: ReadonlyMap<string, DayCommand>;
  readonly accepted: readonly AcceptedCommand[];
  /** What is still stored in the browsers: refused, waiting for something refused, or of a person who was dismissed. */
  readonly left: readonly QueuedCommand[];
  readonly people: readonly FirmMember[];
  readonly dismissed: ReadonlySet<string>;
  /** Epoch milliseconds of the simulated day. */
  readonly endedAt: number;
}

export const describe = (command: QueuedCommand | undefined) =>
  command ? `${command.call} ${JSON.stringify(command.input)} (${command.id}, lane ${command.lane})` : 'an unknown command';
