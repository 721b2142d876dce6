import type { Node } from 'oxc-parser';
import type { ImportedModule, SourceFile } from './source-file.ts';

/** Each check returns what is wrong, why the rule exists and what to do instead; undefined when nothing is wrong. */
export interface Rule {
  readonly name: string;
  readonly appliesTo?: (path: string) => boolean;
  readonly checkFile?: (file: SourceFile) => string | undefined;
  readonly checkImport?: (imported: ImportedModule, path: string) => string | undefined;
  readonly checkNode?: (node: Node) => string | undefined;
}

const TEST = /\.(test|spec|fixture)\.tsx?$|^apps\/[^/]+\/test\/|^e2e\//;

export const isTest = (path: string) => TEST.test(path);
