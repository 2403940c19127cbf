// A skill's files with digest, size and media type. Pure: bytes come in, nothing is read here.
import { isUtf8 } from 'node:buffer';
import type { Issue } from './issue.ts';

/**
 * One file of a skill. Its digest and size are those of the bytes that `readFile` gives.
 *
 * @example
 * const skill = repertoire.loadByName('sql-review');
 * const files = skill ? repertoire.manifestOf(skill).files : [];
 * for (const { path, digest, size } of files) console.log(path, digest, size);
 */
export interface ManifestFile {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  readonly uri: string;
  /** `sha256:` and 64 lower-case hexadecimal digits, of the raw bytes. */
  readonly digest: string;
  readonly size: number;
  readonly mimeType: string;
}

/**
 * Every file of a skill, SKILL.md included.
 *
 * @example
 * const skill = repertoire.loadByName('sql-review');
 * if (skill) console.log(repertoire.manifestOf(skill).files.length, repertoire.manifestOf(skill).totalSize);
 */
export interface Manifest {
  readonly files: readonly ManifestFile[];
  /** Folders below the skill's own, empty ones included, with `/`. */
  readonly folders: readonly string[];
  readonly totalSize: number;
  /** False when a file cannot be served: unreadable, or above the limits. */
  readonly isComplete: boolean;
}

/** Limits of the Skills extension: a skill above either is not listed. */
export const MAX_FILES = 512;
export const MAX_SKILL_BYTES = 16 * 1024 * 1024;

export const digestOf = (bytes: Uint8Array): string => `sha256:${sha256(bytes)}`;

/** Is it served as text? Anything that is not valid UTF-8 is served as base64. */
export const isTextBytes = (bytes: Uint8Array): boolean => isUtf8(bytes);

export const mediaTypeOf = (path: string, bytes: Uint8Array): string =>
  MEDIA_TYPES.get(extensionOf(path)) ?? (looksLikeText(bytes) ? 'text/plain' : 'application/octet-stream');

/** Warnings about a skill that is too big for the Skills extension. */
export const manifestIssues = (files: readonly Pick<ManifestFile, 'size'>[]): Issue[] => {
  const issues: Issue[] = [];
  const totalSize = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length > MAX_FILES) issues.push(tooManyFiles(files.length));
  if (totalSize > MAX_SKILL_BYTES) issues.push(tooLarge(totalSize));
  return issues;
};

// Loaded at first use: it costs 5 ms, and the first answer of a server needs no digest. Half the time of createHash.
const sha256 = (bytes: Uint8Array): string => process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'hex');

const extensionOf = (path: string): string => /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

const looksLikeText = (bytes: Uint8Array): boolean => !bytes.includes(0) && isUtf8(bytes);

const tooManyFiles = (count: number): Issue => ({
  rule: 'too-many-files',
  severity: 'warning',
  message: `Cannot serve the skill to every host: it has ${count} files, and at most ${MAX_FILES} are allowed`,
  fix: 'Remove files that the skill does not need, or split it into several skills',
});

const tooLarge = (bytes: number): Issue => ({
  rule: 'skill-too-large',
  severity: 'warning',
  message: `Cannot serve the skill to every host: its files have ${bytes} bytes, and at most ${MAX_SKILL_BYTES} (16 MiB) are allowed`,
  fix: 'Remove or shrink large files, or split it into several skills',
});

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'text/markdown': 'md markdown mdx',
    'text/plain': 'txt text log rst adoc',
    'text/html': 'html htm',
    'text/css': 'css',
    'text/csv': 'csv',
    'text/tab-separated-values': 'tsv',
    'text/javascript': 'js mjs cjs',
    // `ts` is registered for a video format; in a skill it is a program.
    'text/typescript': 'ts mts cts tsx',
    'text/jsx': 'jsx',
    'text/x-python': 'py pyi',
    'text/x-shellscript': 'sh bash zsh fish',
    'text/x-powershell': 'ps1',
    'text/x-ruby': 'rb',
    'text/x-go': 'go',
    'text/x-rust': 'rs',
    'text/x-java': 'java',
    'text/x-c': 'c h',
    'text/x-c++': 'cc cpp hpp',
    'application/json': 'json',
    'application/yaml': 'yaml yml',
    'application/toml': 'toml',
    'application/xml': 'xml xsd xsl',
    'application/sql': 'sql',
    'application/pdf': 'pdf',
    'application/zip': 'zip',
    'application/gzip': 'gz tgz',
    'application/x-tar': 'tar',
    'application/wasm': 'wasm',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'image/png': 'png',
    'image/jpeg': 'jpg jpeg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/svg+xml': 'svg',
    'image/x-icon': 'ico',
    'font/ttf': 'ttf',
    'font/otf': 'otf',
    'font/woff': 'woff',
    'font/woff2': 'woff2',
    'audio/mpeg': 'mp3',
    'audio/wav': 'wav',
    'audio/ogg': 'ogg',
    'video/mp4': 'mp4',
    'video/webm': 'webm',
  }).flatMap(([type, extensions]) => extensions.split(' ').map((extension): [string, string] => [extension, type])),
);
