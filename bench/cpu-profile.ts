import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Times in microseconds of the clock that process.hrtime reads. */
interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const MOST_SHOWN = 25;
const OUTSIDE_OF_CODE = new Set(['(idle)', '(program)', '(root)', '(garbage collector)']);

export const profileClock = () => Number(process.hrtime.bigint() / 1000n);

/** The profile that a run of the product has left, and where the time of the stretch went, without waiting. */
export function describeProfile(dir: string, stretch: Stretch): string {
  const name = readdirSync(dir).find((entry) => entry.endsWith('.cpuprofile'));
  if (!name) return `No profile was written to ${dir}`;
  const profile = JSON.parse(readFileSync(join(dir, name), 'utf8')) as CpuProfile;
  const parents = parentsOf(profile);
  const own = selfTimes(profile, stretch).filter(({ node }) => node.callFrame.functionName !== '(idle)');
  const lines = (nameOf: (node: ProfileNode) => string) => shares(own.map(({ node, us }) => [nameOf(node), us]));
  return [
    join(dir, name),
    'By package, with what of Node it calls:',
    ...lines((node) => ownerOf(node, parents)),
    'By function:',
    ...lines(functionOf),
  ].join('\n');
}

function shares(parts: readonly (readonly [string, number])[]): string[] {
  const total = parts.reduce((sum, [, us]) => sum + us, 0);
  const sums = new Map<string, number>();
  for (const [what, us] of parts) sums.set(what, (sums.get(what) ?? 0) + us);
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, MOST_SHOWN);
  return sorted.map(([what, us]) => `${((us / total) * 100).toFixed(1).padStart(5)} %  ${what}`);
}

function selfTimes({ startTime, nodes, samples, timeDeltas }: CpuProfile, { from, to }: Stretch) {
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

/** The package or the part of the house on whose behalf this runs: Node's own functions count for their caller. */
function ownerOf(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): string {
  if (OUTSIDE_OF_CODE.has(node.callFrame.functionName)) return node.callFrame.functionName;
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
  const place = url.replace(/.*\/node_modules\//, '').replace(/^file:.*\/(apps|packages)\//, '$1/');
  return `${functionName || '(anonymous)'}  ${place ? `${place}:${lineNumber + 1}` : ''}`.trimEnd();
}
