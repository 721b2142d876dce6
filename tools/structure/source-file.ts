import { type Node, parseSync, visitorKeys } from 'oxc-parser';

export interface SourceFile {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ImportedModule {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  /** Imported names. Empty for re-exports, `import()` and imports for side effects. */
  readonly names: readonly string[];
}

export interface ParsedFile extends SourceFile {
  readonly syntaxErrors: readonly { readonly start: number; readonly message: string }[];
  /** Every node of the syntax tree. Parents come before their children. */
  readonly nodes: readonly Node[];
}

/** A rule with up to three checks. Each returns what is wrong, why and how to fix it, or undefined if the code follows the rule. */
export interface StructureRule {
  readonly name: string;
  readonly appliesTo?: (path: string) => boolean;
  readonly checkFile?: (file: SourceFile) => string | undefined;
  readonly checkImport?: (imported: ImportedModule, path: string) => string | undefined;
  readonly checkNode?: (node: Node) => string | undefined;
}

const TEST_PATH = /\.(test|spec|fixture)\.tsx?$|^apps\/[^/]+\/test\/|^e2e\//;

export const isTestFile = (path: string) => TEST_PATH.test(path);

export function parseFile({ path, text }: SourceFile): ParsedFile {
  // Drop parentheses, so that `(value as unknown) as Row` is recognized as a double cast like `value as unknown as Row`.
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  const syntaxErrors = errors.map(({ message, labels: [label] }) => ({ message, start: label?.start ?? 0 }));
  return { path, text, syntaxErrors, nodes: collectNodes(program) };
}

function collectNodes(node: Node): Node[] {
  const children = (visitorKeys[node.type] ?? []).flatMap((key) => (Reflect.get(node, key) ?? []) as Node | Node[]);
  // Array patterns with holes, such as `[, second]`, contain null.
  return [node, ...children.filter(Boolean).flatMap(collectNodes)];
}

/** Returns the module that the node imports. Covers re-exports, `import()` and type imports such as `import('…').Name`. */
export function findImport(node: Node): ImportedModule | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier: node.source.value, isTypeOnly: node.importKind === 'type', names: node.specifiers.map(getImportedName) };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.source ? { specifier: node.source.value, isTypeOnly: node.exportKind === 'type', names: [] } : undefined;
    case 'ImportExpression':
    case 'TSImportType': {
      const specifier = findString(node.source);
      return specifier === undefined ? undefined : { specifier, isTypeOnly: node.type === 'TSImportType', names: [] };
    }
    default:
      return undefined;
  }
}

const getImportedName = (node: Node) => (node.type === 'ImportSpecifier' ? findName(node.imported) : undefined) ?? '*';

/** Returns the last name in an expression: `role` for `role`, `me.role` and `me?.role`. */
export function findName(node: Node): string | undefined {
  if (node.type === 'ChainExpression') return findName(node.expression);
  if (node.type === 'MemberExpression') return node.computed ? undefined : findName(node.property);
  return 'name' in node && typeof node.name === 'string' ? node.name : undefined;
}

/** Returns the text of a string or template literal. `$` stands for each interpolated value. */
export function findString(node: Node): string | undefined {
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('$');
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
