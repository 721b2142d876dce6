import { type Node, parseSync, visitorKeys } from 'oxc-parser';

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ImportedModule {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  /** Empty for a re-export, an `import()` and an import without names. */
  readonly names: readonly string[];
}

export interface ParsedFile extends SourceFile {
  readonly syntaxErrors: readonly { readonly start: number; readonly message: string }[];
  /** Every node of the syntax tree, parents first. */
  readonly nodes: readonly Node[];
}

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

export function parseFile({ path, text }: SourceFile): ParsedFile {
  // Without parentheses in the tree, `(value as unknown) as Row` looks like any other double cast.
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  const syntaxErrors = errors.map(({ message, labels: [label] }) => ({ message, start: label?.start ?? 0 }));
  return { path, text, syntaxErrors, nodes: collectNodes(program) };
}

function collectNodes(node: Node): Node[] {
  const children = (visitorKeys[node.type] ?? []).flatMap((key) => (Reflect.get(node, key) ?? []) as Node | Node[]);
  // A hole in an array pattern is null.
  return [node, ...children.filter(Boolean).flatMap(collectNodes)];
}

/** What the node imports: also for re-exports, `import()` and `import('…')` in a type. */
export function importOf(node: Node): ImportedModule | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier: node.source.value, isTypeOnly: node.importKind === 'type', names: node.specifiers.map(importedName) };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.source ? { specifier: node.source.value, isTypeOnly: node.exportKind === 'type', names: [] } : undefined;
    case 'ImportExpression':
    case 'TSImportType': {
      const specifier = stringOf(node.source);
      return specifier === undefined ? undefined : { specifier, isTypeOnly: node.type === 'TSImportType', names: [] };
    }
    default:
      return undefined;
  }
}

const importedName = (node: Node) => (node.type === 'ImportSpecifier' ? nameOf(node.imported) : undefined) ?? '*';

/** `role` for `role`, `me.role` and `me?.role`. */
export function nameOf(node: Node): string | undefined {
  if (node.type === 'ChainExpression') return nameOf(node.expression);
  if (node.type === 'MemberExpression') return node.computed ? undefined : nameOf(node.property);
  return 'name' in node && typeof node.name === 'string' ? node.name : undefined;
}

/** The text of a string or a template; `$` stands for each value put into a template. */
export function stringOf(node: Node): string | undefined {
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('$');
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
