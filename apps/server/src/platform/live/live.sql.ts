import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Logger } from 'pino';
import { buildClientConfig, type DatabaseLogin } from '../db/pools.ts';
import { type EffectContext, getDatabase } from '../db/tenant-scope.ts';
import { sendNoticeOnCommit } from '../db/transaction.ts';
import type { LiveNotice } from './notice-buffer.ts';

const LIVE_CHANNEL = 'callout_live';
const RECONNECT_DELAY_MS = 500;

/** A process that was killed may not have sent the notices of its last changes, so its next start makes every page refetch its data. */
interface StartNotice {
  readonly server_started: true;
}

export async function publishNotice(context: EffectContext, notice: LiveNotice | StartNotice): Promise<void> {
  const payload = JSON.stringify(notice);
  await ('db' in context ? context.notify(LIVE_CHANNEL, payload) : sendNoticeOnCommit(context, { channel: LIVE_CHANNEL, payload }));
}

/** Sends the notices as part of the transaction, so that they are never lost. This limits commits; see `sendNotices`. */
export async function publishWithCommit(context: EffectContext, notices: readonly LiveNotice[]): Promise<void> {
  await getDatabase(context).execute(
    sql`select pg_notify(${LIVE_CHANNEL}, n::text) from json_array_elements(${JSON.stringify(notices)}) n`,
  );
}

/** Parses without validation, because only this file writes to the channel. */
function parseNotice(payload: string | undefined): LiveNotice | StartNotice {
  return JSON.parse(payload ?? '{}') as LiveNotice | StartNotice;
}

interface NoticeHandlers {
  onNotice(notice: LiveNotice): void;
  /** Called if notices may have been lost. */
  onLostNotices(): void;
}

export function listenForNotices(login: DatabaseLogin, log: Logger, handlers: NoticeHandlers) {
  let client: pg.Client | undefined;
  let isStopped = false;
  let reconnectTimer: NodeJS.Timeout | undefined;

  const connect = async (isReconnect: boolean) => {
    const next = new pg.Client({ ...buildClientConfig(login, { application_name: 'callout_live' }), keepAlive: true });
    const scheduleReconnect = () => {
      if (client === next) client = undefined;
      if (!isStopped) reconnectTimer = setTimeout(() => void connect(true), RECONNECT_DELAY_MS);
    };
    next.on('notification', ({ payload }) => {
      const notice = parseNotice(payload);
      if ('server_started' in notice) handlers.onLostNotices();
      else handlers.onNotice(notice);
    });
    next.on('error', () => undefined);
    next.once('end', scheduleReconnect);
    try {
      await next.connect();
      await next.query(`listen ${LIVE_CHANNEL}`);
      if (isStopped) return await next.end();
      client = next;
      if (isReconnect) handlers.onLostNotices();
    } catch (error) {
      log.warn(
        { part: 'live', reason: error instanceof Error ? error.message : String(error) },
        'Lost the live-update connection, reconnecting',
      );
      await next.end().catch(() => undefined);
    }
  };

  return {
    /** Resolves after the first connection attempt, even if it failed. */
    started: connect(false),
    async stop() {
      isStopped = true;
      clearTimeout(reconnectTimer);
      await client?.end();
    },
  };
}
