import { lineAt, type ReadFile } from './source-file.ts';

export interface Finding {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  /** What is wrong here, why the rule exists, and what to do instead. */
  readonly says: string;
}

export interface Rule {
  readonly name: string;
  /** A pure look at one file. */
  readonly look: (file: ReadFile) => readonly { index: number; says: string }[];
}

export function findings(rules: readonly Rule[], files: readonly ReadFile[]): Finding[] {
  return files.flatMap((file) =>
    rules.flatMap((rule) =>
      rule.look(file).map(({ index, says }) => ({ rule: rule.name, path: file.path, line: lineAt(file.text, index), says })),
    ),
  );
}

const TEST = /\.(test|spec|fixture)\.tsx?$|^apps\/[^/]+\/test\/|^e2e\//;

export const isTest = (path: string) => TEST.test(path);
