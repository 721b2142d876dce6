import { startCrashRounds, VICTIMS } from './crash-rounds.ts';
import { inNewDataFolder } from './product-process.ts';

/** Run by hand: the number of rounds for each victim. */
const rounds = Number(process.argv[2] ?? 20);

await inNewDataFolder(async (dataDir) => {
  const crashes = await startCrashRounds(dataDir);
  try {
    for (const victim of VICTIMS) {
      for (let round = 1; round <= rounds; round += 1) {
        const { acknowledged, damage } = await crashes.killDuringWrites(victim);
        process.stdout.write(`${victim}, round ${round}: ${acknowledged} acknowledged, ${damage.length} lost or damaged\n`);
        for (const line of damage) process.stdout.write(`  ${line}\n`);
        if (damage.length > 0) process.exitCode = 1;
      }
    }
  } finally {
    await crashes.stop();
  }
});
