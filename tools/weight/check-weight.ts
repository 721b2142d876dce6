import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Manifest, overBudget, table, weigh } from './weigh.ts';

const dist = join(import.meta.dirname, '../../apps/web/dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;

const weights = weigh(manifest, (file) => {
  const bytes = readFileSync(join(dist, file));
  return { gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
});
console.log(table(weights));
const over = overBudget(weights);
if (over.length > 0) {
  console.error(
    `\n${over.length} over budget: load less at first, or split what is not needed at once (tools/weight/budgets.ts has the budgets).`,
  );
  process.exitCode = 1;
}
