import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorkingBrowser } from './working-browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'browsers-'));

function createProgram(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const workingBrowser = createProgram('works', 'echo Chromium 156.0');
const brokenBrowser = createProgram('lacks-libraries', 'echo "libnss3.so: cannot open shared object file" >&2; exit 127');

describe.skipIf(process.platform === 'win32')('findWorkingBrowser', () => {
  it('returns the browser from the first source that has one', async () => {
    const found = await findWorkingBrowser([
      { name: 'none here', findPaths: () => [] },
      { name: 'here', findPaths: () => [workingBrowser] },
      {
        name: 'not called',
        findPaths: () => {
          throw new Error('must not be called');
        },
      },
    ]);
    expect(found).toEqual({ source: 'here', path: workingBrowser });
  });

  it('skips a browser that doesn’t start', async () => {
    const found = await findWorkingBrowser([{ name: 'both', findPaths: () => [brokenBrowser, join(folder, 'missing'), workingBrowser] }]);
    expect(found.path).toBe(workingBrowser);
  });

  it('tries the next source when one fails', async () => {
    const offline = { name: 'download', findPaths: () => Promise.reject(new Error('offline')) };
    expect((await findWorkingBrowser([offline, { name: 'here', findPaths: () => [workingBrowser] }])).source).toBe('here');
  });

  it('lists every source it tried when it finds no browser', async () => {
    const sources = [
      { name: 'system', findPaths: () => [brokenBrowser] },
      { name: 'download', findPaths: () => Promise.reject(new Error('offline')) },
    ];
    await expect(findWorkingBrowser(sources)).rejects.toThrow(/CHROME_PATH[\s\S]*system: .*libnss3[\s\S]*download: offline/);
  });
});
