import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Logger } from 'pino';
import { clientConfig, type DatabaseLogin } from '../db/pools.ts';
import { databaseOf, type EffectContext } from '../db/tenant-scope.ts';
import type { Notice } from './notices.ts';

const CHANNEL = 'callout_live';
const RECONNECT_MS = 500;

export async function publish(context: EffectContext, notice: Notice): Promise<void> {
  await databaseOf(context).execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`);
}

/** Only `publish` writes to the channel. */
function noticeOf(payload: string | undefined): Notice {
  return JSON.parse(payload ?? '{}') as Notice;
}

interface LiveHandlers {
  notice(notice: Notice): void;
  reconnected(): void;
}

export function listen(login: DatabaseLogin, log: Logger, handlers: LiveHandlers) {
  let client: pg.Client | undefined;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (again: boolean) => {
    const next = new pg.Client({ ...clientConfig(login, { application_name: 'callout_live' }), keepAlive: true });
    const lost = () => {
      if (client === next) client = undefined;
      if (!stopped) retry = setTimeout(() => void connect(true), RECONNECT_MS);
    };
    next.on('notification', ({ payload }) => handlers.notice(noticeOf(payload)));
    next.on('error', () => undefined);
    next.once('end', lost);
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      if (stopped) return await next.end();
      client = next;
      if (again) handlers.reconnected();
    } catch (error) {
      log.warn(
        { part: 'live', reason: error instanceof Error ? error.message : String(error) },
        'Lost the live-update connection, reconnecting',
      );
      await next.end().catch(() => undefined);
    }
  };

  return {
    /** Resolves after the first connection attempt. */
    started: connect(false),
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
