import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, overBudget, table, weigh } from './weigh.ts';

/** The folder of a finished build: its files stand there compressed as they go over the line. */
const folder = process.argv[2] ?? join(import.meta.dirname, '../../apps/web/dist');
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;

const bytesOf = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.size;

const weights = weigh(manifest, (file) => {
  const plain = bytesOf(file) ?? 0;
  return { gzip: bytesOf(`${file}.gz`) ?? plain, brotli: bytesOf(`${file}.br`) ?? plain };
});
console.log(table(weights));
const over = overBudget(weights);
if (over.length > 0) {
  console.error(
    `\n${over.length} over budget: load less at first, or split what is not needed at once (tools/weight/budgets.ts has the budgets).`,
  );
  process.exitCode = 1;
}
