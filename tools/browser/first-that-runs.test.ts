import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstThatRuns } from './first-that-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'browsers-'));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const works = program('works', 'echo Chromium 156.0');
const lacksLibraries = program('lacks-libraries', 'echo "libnss3.so: cannot open shared object file" >&2; exit 127');

describe.skipIf(process.platform === 'win32')('the first browser that runs', () => {
  it('is taken from the first source that has one', async () => {
    const found = await firstThatRuns([
      { name: 'none here', offers: () => [] },
      { name: 'here', offers: () => [works] },
      {
        name: 'never asked',
        offers: () => {
          throw new Error('an installation nobody needs');
        },
      },
    ]);
    expect(found).toEqual({ source: 'here', path: works });
  });

  it('is not one that is there but does not start', async () => {
    const found = await firstThatRuns([{ name: 'both', offers: () => [lacksLibraries, join(folder, 'missing'), works] }]);
    expect(found.path).toBe(works);
  });

  it('is looked for further when a source fails', async () => {
    const offline = { name: 'download', offers: () => Promise.reject(new Error('offline')) };
    expect((await firstThatRuns([offline, { name: 'here', offers: () => [works] }])).source).toBe('here');
  });

  it('says everything that was tried when there is none', async () => {
    const sources = [
      { name: 'system', offers: () => [lacksLibraries] },
      { name: 'download', offers: () => Promise.reject(new Error('offline')) },
    ];
    await expect(firstThatRuns(sources)).rejects.toThrow(/CHROME_PATH[\s\S]*system: .*libnss3[\s\S]*download: offline/);
  });
});
