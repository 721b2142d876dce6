import { FILE_RULES } from './rules/file-names.ts';
import { IMPORT_RULES } from './rules/imports.ts';
import { SYNTAX_RULES } from './rules/syntax.ts';
import { findImport, type ParsedFile, parseFile, type SourceFile, type StructureRule } from './source-file.ts';

export const RULES: readonly StructureRule[] = [...FILE_RULES, ...IMPORT_RULES, ...SYNTAX_RULES];

export interface RuleException {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

/** Must only get shorter: fix code that breaks a rule instead of adding an exception. */
export const EXCEPTIONS: readonly RuleException[] = [];

export interface Violation {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Reports code that breaks a rule without having an exception, and exceptions that are no longer needed. */
export function findViolations(files: readonly SourceFile[], exceptions: readonly RuleException[]): Violation[] {
  const found = files.map(parseFile).flatMap(findFileViolations);
  const covers = (exception: RuleException, violation: Violation) => exception.rule === violation.rule && exception.path === violation.path;
  const unused = exceptions.filter((exception) => !found.some((violation) => covers(exception, violation)));
  return [
    ...found.filter((violation) => !exceptions.some((exception) => covers(exception, violation))),
    ...unused.map(({ rule, path }) => ({
      rule: 'unused-exception',
      path: 'tools/structure/structure.ts',
      line: 1,
      message: `${path} no longer breaks '${rule}': remove its exception`,
    })),
  ];
}

function findFileViolations(file: ParsedFile): Violation[] {
  const { path, text, nodes, syntaxErrors } = file;
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const errors = syntaxErrors.map(({ start, message }) => ({ rule: 'syntax', path, line: lineAt(start), message }));
  const imports = nodes.flatMap((node) => {
    const imported = findImport(node);
    return imported ? [{ imported, start: node.start }] : [];
  });
  const broken = RULES.filter(({ appliesTo }) => appliesTo?.(path) ?? true).flatMap(({ name, checkFile, checkImport, checkNode }) =>
    [
      { start: 0, message: checkFile?.(file) },
      ...imports.map(({ imported, start }) => ({ start, message: checkImport?.(imported, path) })),
      ...(checkNode ? nodes.map((node) => ({ start: node.start, message: checkNode(node) })) : []),
    ].flatMap(({ start, message }) => (message === undefined ? [] : [{ rule: name, path, line: lineAt(start), message }])),
  );
  return [...errors, ...broken];
}
