import { runMailRounds } from './mail-rounds.ts';
import { inNewDataFolder } from './product-process.ts';

/** Run by hand: the number of kills. */
const kills = Number(process.argv[2] ?? 20);

const report = await inNewDataFolder((dataDir) => runMailRounds(dataDir, kills, (line) => process.stdout.write(`${line}\n`)));
process.stdout.write(`${JSON.stringify(report)}\n`);
if (report.lost > 0 || report.shownTwice > 0) process.exitCode = 1;
