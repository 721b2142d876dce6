import { runMailCrashRounds } from './mail-crash-rounds.ts';
import { withTempDataFolder } from './server-process.ts';

/** Number of kills, taken from the command line. */
const killCount = Number(process.argv[2] ?? 20);

const report = await withTempDataFolder((dataDir) => runMailCrashRounds(dataDir, killCount, (line) => process.stdout.write(`${line}\n`)));
process.stdout.write(`${JSON.stringify(report)}\n`);
if (report.lost > 0 || report.duplicated > 0) process.exitCode = 1;
