import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

/** Runs the server in a child process with only the given environment variables, until it exits. */
async function runServer(environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const [output, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { output, errorLines: errors.split('\n').filter(Boolean), exitCode };
}

describe('a failed start', () => {
  it('prints one line for each invalid setting and exits with code 1', { timeout: 60_000 }, async () => {
    const { output, errorLines, exitCode } = await runServer({ PORT: 'abc', APP_URL: 'nowhere', SMTP_URL: 'smtp://localhost' });
    expect(errorLines).toEqual([
      'PORT must be a port number from 0 to 65535',
      'APP_URL must be a URL like https://work.example.com',
      'MAIL_FROM is required when SMTP_URL is set',
    ]);
    expect([output, exitCode]).toEqual(['', 1]);
  });

  it('prints one line, without the password, when the database cannot be reached', { timeout: 60_000 }, async () => {
    const { errorLines, exitCode } = await runServer({
      DATABASE_URL: 'postgres://ana:hunter2@127.0.0.1:1/callout',
      SESSION_SECRET: 's'.repeat(32),
    });
    expect(errorLines).toEqual(['DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1']);
    expect(exitCode).toBe(1);
  });

  it('prints one line when DATA_DIR is not a folder', { timeout: 60_000 }, async () => {
    const file = join(import.meta.dirname, 'main.ts');
    const { errorLines, exitCode } = await runServer({ DATA_DIR: file, SESSION_SECRET: 's'.repeat(32) });
    expect(errorLines).toEqual([`The data folder ${file} can't be written to (EEXIST). Set DATA_DIR to use another folder.`]);
    expect(exitCode).toBe(1);
  });
});
