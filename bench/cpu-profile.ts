import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Times are in microseconds on the clock of process.hrtime. */
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

export const profileClockUs = () => Number(process.hrtime.bigint() / 1000n);

/** Where the product's CPU time went within the range. */
export function describeProfile(dir: string, range: TimeRange): string {
  const name = readdirSync(dir).find((entry) => entry.endsWith('.cpuprofile'));
  if (!name) return `There is no profile in ${dir}`;
  const profile = JSON.parse(readFileSync(join(dir, name), 'utf8')) as CpuProfile;
  const parents = parentsOf(profile);
  const times = selfTimes(profile, range).filter(({ node }) => node.callFrame.functionName !== '(idle)');
  const formatBy = (nameOf: (node: ProfileNode) => string) => formatShares(times.map(({ node, us }) => [nameOf(node), us]));
  return [
    join(dir, name),
    'By package, including the Node functions it calls:',
    ...formatBy((node) => ownerOf(node, parents)),
    'By function:',
    ...formatBy(functionOf),
  ].join('\n');
}

function formatShares(parts: readonly (readonly [string, number])[]): string[] {
  const total = parts.reduce((sum, [, us]) => sum + us, 0);
  const sums = new Map<string, number>();
  for (const [what, us] of parts) sums.set(what, (sums.get(what) ?? 0) + us);
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, MAX_ROWS);
  return sorted.map(([what, us]) => `${((us / total) * 100).toFixed(1).padStart(5)} %  ${what}`);
}

function selfTimes({ startTime, nodes, samples, timeDeltas }: CpuProfile, { from, to }: TimeRange) {
  const sums = new Map<number, number>();
  let time = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    time += delta;
    if (time >= from && time <= to) sums.set(id, (sums.get(id) ?? 0) + delta);
  }
  return nodes.map((node) => ({ node, us: sums.get(node.id) ?? 0 }));
}

function parentsOf({ nodes }: CpuProfile): Map<number, ProfileNode> {
  return new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
}

/** The package or folder that this node belongs to; Node's own functions count for their caller. */
function ownerOf(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): string {
  if (PSEUDO_FUNCTIONS.has(node.callFrame.functionName)) return node.callFrame.functionName;
  let at: ProfileNode | undefined = node;
  while (at) {
    const { url } = at.callFrame;
    const owner = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? /\/((?:apps|packages)\/.*)\/[^/]+$/.exec(url)?.[1];
    if (owner) return owner;
    at = parents.get(at.id);
  }
  return 'Node itself';
}

function functionOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const location = url.replace(/.*\/node_modules\//, '').replace(/^file:.*\/(apps|packages)\//, '$1/');
  return `${functionName || '(anonymous)'}  ${location ? `${location}:${lineNumber + 1}` : ''}`.trimEnd();
}
