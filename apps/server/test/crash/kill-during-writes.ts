import { runCrashRounds, VICTIMS } from './crash-rounds.ts';

/** Run by hand: the number of rounds for each victim. */
const rounds = Number(process.argv[2] ?? 20);

for (const victim of VICTIMS) {
  const { acknowledged, damage } = await runCrashRounds(victim, rounds, (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`${victim}: ${rounds} kills, ${acknowledged} customers acknowledged, ${damage.length} lost or damaged\n`);
  for (const line of damage) process.stdout.write(`  ${line}\n`);
  if (damage.length > 0) process.exitCode = 1;
}
