import { runMailRounds } from './mail-rounds.ts';

/** Run by hand: the number of kills. */
const report = await runMailRounds(Number(process.argv[2] ?? 20), (line) => process.stdout.write(`${line}\n`));
process.stdout.write(`${JSON.stringify(report)}\n`);
if (report.lost > 0 || report.shownTwice > 0) process.exitCode = 1;
