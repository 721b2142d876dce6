import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Accounts, Passwords } from '../auth/accounts.ts';
import type { DeviceCookie } from '../auth/device-cookie.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { Pools } from '../db/pools.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Live } from '../live/live.ts';
import type { PdfRenderer } from '../pdf/pdf-renderer.ts';

/** The services available to a call. Created once at startup; knows no feature. A function takes the parts it uses: `Pick<Platform, 'pools'>`. */
export interface Platform {
  readonly config: Config;
  readonly log: Logger;
  readonly pools: Pools;
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  readonly files: FileStore;
  readonly live: Live;
  readonly pdf: PdfRenderer;
  /** Where mailed links lead. */
  readonly appUrl: string;
  now(): Date;
}
