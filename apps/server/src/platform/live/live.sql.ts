import pg from 'pg';
import type { Logger } from 'pino';
import { buildClientConfig, type DatabaseLogin } from '../db/pools.ts';
import type { EffectContext } from '../db/tenant-scope.ts';
import { sendNoticeOnCommit } from '../db/transaction.ts';
import type { LiveNotice } from './notice-buffer.ts';

const LIVE_CHANNEL = 'callout_live';
const RECONNECT_DELAY_MS = 500;

export async function publishNotice(context: EffectContext, notice: LiveNotice): Promise<void> {
  const payload = JSON.stringify(notice);
  await ('db' in context ? context.notify(LIVE_CHANNEL, payload) : sendNoticeOnCommit(context, { channel: LIVE_CHANNEL, payload }));
}

/** Parses without validation, because only `publishNotice` writes to the channel. */
function parseNotice(payload: string | undefined): LiveNotice {
  return JSON.parse(payload ?? '{}') as LiveNotice;
}

interface NoticeHandlers {
  onNotice(notice: LiveNotice): void;
  onReconnect(): void;
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
    next.on('notification', ({ payload }) => handlers.onNotice(parseNotice(payload)));
    next.on('error', () => undefined);
    next.once('end', scheduleReconnect);
    try {
      await next.connect();
      await next.query(`listen ${LIVE_CHANNEL}`);
      if (isStopped) return await next.end();
      client = next;
      if (isReconnect) handlers.onReconnect();
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
