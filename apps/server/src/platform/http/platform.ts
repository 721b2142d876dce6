import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { AccountService } from '../auth/accounts.ts';
import type { DeviceCookie } from '../auth/device-cookie.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { Pools } from '../db/pools.ts';
import type { FileStore } from '../files/file-store.ts';
import type { LiveUpdates } from '../live/live.ts';
import type { PdfRenderer } from '../pdf/pdf-renderer.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RenderedPages } from './rendered-pages.ts';

/** Services shared by all calls, created once at startup. Functions should take only the services they use: `Pick<Platform, 'pools'>`. */
export interface Platform {
  readonly config: Config;
  readonly log: Logger;
  readonly pools: Pools;
  readonly accounts: AccountService;
  readonly passwordHasher: PasswordHasher;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  readonly files: FileStore;
  readonly live: LiveUpdates;
  readonly pdfRenderer: PdfRenderer;
  readonly telemetry: Telemetry;
  /** Public pages of unchanged documents. */
  readonly publicPages: RenderedPages;
  /** The base URL of links in emails. */
  readonly appUrl: string;
  /** This process's clock. Times that people see come from the database's clock instead; see `getCallTime`. */
  now(): Date;
  /** Replaces the database's clock as the time of calls. Only tests set it. */
  readonly callClock?: (() => Date) | undefined;
}
