import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** The file format of `node --cpu-prof`. Times are in microseconds on the `process.hrtime` clock. */
interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const MAX_ROWS = 25;
const PSEUDO_FUNCTIONS = new Set(['(idle)', '(program)', '(root)', '(garbage collector)']);

export const readProfileClockUs = () => Number(process.hrtime.bigint() / 1000n);

/** Formats how the server's CPU time within the range is distributed over packages and functions, in percent. */
export function formatProfile(dir: string, range: TimeRange): string {
  const name = readdirSync(dir).find((entry) => entry.endsWith('.cpuprofile'));
  if (!name) return `No profile found in ${dir}`;
  const profile = JSON.parse(readFileSync(join(dir, name), 'utf8')) as CpuProfile;
  const parents = mapParents(profile);
  const times = calculateSelfTimes(profile, range).filter(({ node }) => node.callFrame.functionName !== '(idle)');
  const formatBy = (getName: (node: ProfileNode) => string) => formatShares(times.map(({ node, us }) => [getName(node), us]));
  return [
    join(dir, name),
    'By package, including the Node.js functions it calls:',
    ...formatBy((node) => findPackageName(node, parents)),
    'By function:',
    ...formatBy(formatFunction),
  ].join('\n');
}

function formatShares(parts: readonly (readonly [string, number])[]): string[] {
  const total = parts.reduce((sum, [, us]) => sum + us, 0);
  const sums = new Map<string, number>();
  for (const [name, us] of parts) sums.set(name, (sums.get(name) ?? 0) + us);
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, MAX_ROWS);
  return sorted.map(([name, us]) => `${((us / total) * 100).toFixed(1).padStart(5)} %  ${name}`);
}

function calculateSelfTimes({ startTime, nodes, samples, timeDeltas }: CpuProfile, { from, to }: TimeRange) {
  const sums = new Map<number, number>();
  let time = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    time += delta;
    if (time >= from && time <= to) sums.set(id, (sums.get(id) ?? 0) + delta);
  }
  return nodes.map((node) => ({ node, us: sums.get(node.id) ?? 0 }));
}

function mapParents({ nodes }: CpuProfile): Map<number, ProfileNode> {
  return new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
}

/** Returns the package or folder that contains the function. Node.js built-ins count toward their caller. */
function findPackageName(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): string {
  if (PSEUDO_FUNCTIONS.has(node.callFrame.functionName)) return node.callFrame.functionName;
  let current: ProfileNode | undefined = node;
  while (current) {
    const { url } = current.callFrame;
    const owner = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? /\/((?:apps|packages)\/.*)\/[^/]+$/.exec(url)?.[1];
    if (owner) return owner;
    current = parents.get(current.id);
  }
  return 'Node.js';
}

function formatFunction({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const location = url.replace(/.*\/node_modules\//, '').replace(/^file:.*\/(apps|packages)\//, '$1/');
  return `${functionName || '(anonymous)'}  ${location ? `${location}:${lineNumber + 1}` : ''}`.trimEnd();
}
