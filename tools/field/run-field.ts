import { parseArgs } from 'node:util';
import { formatReports } from './field-report.ts';
import { type DayReport, simulateDay } from './simulate-day.ts';

const HELP = `npm run field -- [options]
  --operations N   operations of each day (10000)
  --seeds N        number of days (20)
  --seed N         the first seed (1)
  --drop-every N   see it fail: disks forget every Nth command`;

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000' },
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    'drop-every': { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

const MAX_VIOLATIONS_SHOWN = 20;
const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  if (options.help) return print(HELP);
  const [operations, seeds, first] = [options.operations, options.seeds, options.seed].map(Number) as [number, number, number];
  const reports: DayReport[] = [];
  for (let seed = first; seed < first + seeds; seed += 1) {
    const report = await simulateDay({ seed, operations, dropEvery: Number(options['drop-every']) });
    reports.push(report);
    print(`seed ${seed}: ${report.accepted} accepted, ${report.refused} refused, ${report.violations.length} violations`);
    for (const violation of report.violations.slice(0, MAX_VIOLATIONS_SHOWN)) print(`  ${violation}`);
  }
  print(`\n${formatReports(reports)}`);
  if (reports.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
}

await main();
// Close the channel to the launcher, which would otherwise keep the process alive.
process.disconnect?.();
