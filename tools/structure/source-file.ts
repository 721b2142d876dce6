/** A file of the house as the rules see it. */
export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ImportOf {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly index: number;
}

export interface ReadFile extends SourceFile {
  /** The text without comments and without what stands in strings, regular expressions and templates; every index stays where it was. */
  readonly code: string;
  /** The text without comments. */
  readonly uncommented: string;
  readonly imports: readonly ImportOf[];
}

const BLANK = /[^\n]/g;
const blank = (text: string) => text.replace(BLANK, ' ');

/** A slash after one of these starts a regular expression; after anything else it divides. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%~^>]|\b(?:return|typeof|case|in|of|await|yield))\s*$/;

const TOKENS = {
  lineComment: /\/\/[^\n]*/y,
  blockComment: /\/\*[\s\S]*?(?:\*\/|$)/y,
  // A quote that is not closed on its line is an apostrophe in JSX text.
  quoted: /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y,
  regex: /\/(?![/*>])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y,
};

function match(token: RegExp, text: string, at: number): string | undefined {
  token.lastIndex = at;
  return token.exec(text)?.[0];
}

function withoutCommentsAndStrings(text: string): { code: string; uncommented: string } {
  let code = '';
  let uncommented = '';
  /** For each template we are inside of: how many braces its current `${` has open. */
  const templates: number[] = [];
  let inTemplate = false;

  const take = (piece: string, as: 'code' | 'comment' | 'string') => {
    code += as === 'code' ? piece : blank(piece);
    uncommented += as === 'comment' ? blank(piece) : piece;
  };

  while (code.length < text.length) {
    const at = code.length;
    const char = text.charAt(at);
    if (inTemplate) {
      if (char === '\\') take(text.slice(at, at + 2), 'string');
      else if (text.startsWith('${', at)) {
        take('${', 'code');
        templates.push(0);
        inTemplate = false;
      } else {
        take(char, char === '`' ? 'code' : 'string');
        if (char === '`') inTemplate = false;
      }
      continue;
    }
    const comment = match(TOKENS.lineComment, text, at) ?? match(TOKENS.blockComment, text, at);
    const string = match(TOKENS.quoted, text, at);
    const regex = char === '/' && !comment && BEFORE_REGEX.test(code.slice(-40)) ? match(TOKENS.regex, text, at) : undefined;
    if (comment) take(comment, 'comment');
    else if (string) {
      take(string.charAt(0), 'code');
      take(string.slice(1, -1), 'string');
      take(string.charAt(0), 'code');
    } else if (regex) take(regex, 'string');
    else {
      take(char, 'code');
      const open = templates.length - 1;
      if (char === '`') inTemplate = true;
      else if (open >= 0 && char === '{') templates[open] = (templates[open] ?? 0) + 1;
      else if (open >= 0 && char === '}') {
        if (templates[open] === 0) {
          templates.pop();
          inTemplate = true;
        } else templates[open] = (templates[open] ?? 0) - 1;
      }
    }
  }
  return { code, uncommented };
}

const IMPORTS = [/\b(?:import|export)\s+(type\s)?(?:[\w*{}$,\s]*?\sfrom\s*)?['"]([^'"\n]+)['"]/g, /\bimport\s*\(()\s*['"]([^'"\n]+)['"]/g];

function importsOf(code: string, uncommented: string): ImportOf[] {
  return IMPORTS.flatMap((pattern) =>
    [...uncommented.matchAll(pattern)]
      // What stands in a string only looks like an import.
      .filter((found) => /^(?:import|export)/.test(code.slice(found.index)))
      .map((found) => ({ specifier: found[2] ?? '', typeOnly: Boolean(found[1]), index: found.index })),
  );
}

export function readSource(file: SourceFile): ReadFile {
  const { code, uncommented } = withoutCommentsAndStrings(file.text);
  return { ...file, code, uncommented, imports: importsOf(code, uncommented) };
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
