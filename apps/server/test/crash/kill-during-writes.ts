import { KILL_TARGETS, startCrashRounds } from './crash-rounds.ts';
import { withTempDataFolder } from './server-process.ts';

/** Number of rounds per kill target, taken from the command line. */
const roundCount = Number(process.argv[2] ?? 20);

await withTempDataFolder(async (dataDir) => {
  const crashRounds = await startCrashRounds(dataDir);
  try {
    for (const target of KILL_TARGETS) {
      for (let round = 1; round <= roundCount; round += 1) {
        const { acknowledged, damage } = await crashRounds.killDuringWrites(target);
        process.stdout.write(`${target}, round ${round}: ${acknowledged} acknowledged, ${damage.length} lost or damaged\n`);
        for (const problem of damage) process.stdout.write(`  ${problem}\n`);
        if (damage.length > 0) process.exitCode = 1;
      }
    }
  } finally {
    await crashRounds.stop();
  }
});
