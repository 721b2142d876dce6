import { forgetEndedSessions } from '../auth/session.sql.ts';
import { forgetOldAttempts } from '../http/rate-limit.sql.ts';
import type { Platform } from '../platform.ts';

const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * EVERY_MS;

/** Once an hour what has expired is swept out. Missing a turn harms nothing: expired is already treated as gone. */
export function startTidying(platform: Platform): { stop(): void } {
  const tidy = async () => {
    try {
      await forgetEndedSessions(platform.pools.system);
      await forgetOldAttempts(platform.pools.system);
      await platform.files.discardOlderThan(new Date(platform.now().getTime() - DAY_MS));
    } catch (error) {
      platform.log.warn({ err: error }, 'Tidying failed, next try in an hour');
    }
  };
  const timer = setInterval(() => void tidy(), EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
