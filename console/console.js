/**
 * The first page: the instance, its clusters, and where every application runs, kept current by watches.
 *
 * It talks to the instance's own API through the proxy, as kubectl does; there is no other interface behind it.
 */
const INSTANCE = new URLSearchParams(location.search).get('instance') ?? 'demo';
const API = `/instances/${encodeURIComponent(INSTANCE)}/kube`;
const PATHS = {
  clusters: '/apis/cluster.karmada.io/v1alpha1/clusters',
  deployments: '/apis/apps/v1/deployments',
  bindings: '/apis/work.karmada.io/v1alpha2/resourcebindings',
};

/** Everything shown, by collection and key; whoever changes it asks for a repaint. */
const state = { clusters: new Map(), deployments: new Map(), bindings: new Map(), why: new Map(), live: new Set() };
let painting = false;

for (const collection of Object.keys(PATHS)) void follow(collection);

/** Lists by watching, and starts over whenever the connection ends; what was shown stays until it is replaced. */
async function follow(collection) {
  for (;;) {
    try {
      await watch(collection);
    } catch (error) {
      if (error.status === 401) return location.reload();
    }
    state.live.delete(collection);
    repaint();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function watch(collection) {
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const response = await fetch(`${API}${PATHS[collection]}?${query}`);
  if (!response.ok) throw Object.assign(new Error(response.statusText), { status: response.status });
  const fresh = new Map();
  let current = fresh;
  for await (const { type, object } of lines(response.body)) {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    if (type === 'ERROR') return;
    if (type === 'BOOKMARK') {
      // The end of the initial events: from here on the list is complete and changes are shown one by one.
      state[collection] = fresh;
      current = state[collection];
      state.live.add(collection);
    } else if (type === 'DELETED') current.delete(key);
    else current.set(key, object);
    if (collection === 'bindings' && type !== 'BOOKMARK') state.why.delete(key);
    repaint();
  }
}

async function* lines(body) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part) yield JSON.parse(part);
  }
}

function repaint() {
  if (painting) return;
  painting = true;
  requestAnimationFrame(() => {
    painting = false;
    paint();
  });
}

function paint() {
  const clusters = [...state.clusters.values()].sort(byName);
  const apps = [...state.deployments.values()].sort(byName);
  const live = state.live.size === Object.keys(PATHS).length;
  const badge = document.querySelector('#live');
  badge.className = `live ${live ? 'on' : 'off'}`;
  badge.textContent = live ? 'live' : 'reconnecting…';
  document.querySelector('#instance').textContent = `instance ${INSTANCE}`;
  if (!live && clusters.length === 0) return;
  document.querySelector('#sentence').textContent = sentence(clusters, apps);
  replace('#clusters', clusters.map(clusterCard), 'No clusters have joined yet.');
  replace('#apps', apps.map(appCard), 'No application yet. Apply a Deployment and a PropagationPolicy with kubectl.');
}

function sentence(clusters, apps) {
  const ready = clusters.filter(isReady).length;
  const whole = apps.filter((app) => (app.status?.readyReplicas ?? 0) >= wanted(app, bindingOf(app))).length;
  const clusterPart =
    ready === clusters.length ? `All ${ready} clusters are ready` : `${ready} of ${clusters.length} clusters are ready`;
  if (apps.length === 0) return `${clusterPart}; nothing is deployed yet.`;
  return `${clusterPart}; ${whole} of ${apps.length} application${apps.length === 1 ? '' : 's'} fully running.`;
}

const isReady = (cluster) =>
  cluster.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');

function clusterCard(cluster) {
  const { provider, region, zones = [] } = cluster.spec;
  const { nodeSummary = {}, resourceSummary = {}, kubernetesVersion = '–' } = cluster.status ?? {};
  const ready = isReady(cluster);
  const place = [provider, region, ...zones].filter(Boolean).join(' · ') || 'no region given';
  const pods = [...state.bindings.values()].flatMap((binding) => binding.spec.clusters ?? []);
  const replicas = pods
    .filter(({ name }) => name === cluster.metadata.name)
    .reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  return element('article', { class: 'card', 'data-cluster': cluster.metadata.name }, [
    element('h3', {}, [cluster.metadata.name, pill(ready ? 'good' : 'bad', ready ? 'Ready' : 'Not ready')]),
    element('p', { class: 'place' }, [place]),
    element('dl', {}, [
      ...fact('Kubernetes', kubernetesVersion),
      ...fact('Nodes', `${nodeSummary.readyNum ?? 0} of ${nodeSummary.totalNum ?? 0} ready`),
      ...fact('Replicas placed here', String(replicas)),
      ...usage('CPU', resourceSummary, 'cpu'),
      ...usage('Memory', resourceSummary, 'memory'),
    ]),
  ]);
}

function usage(label, { allocatable = {}, allocated = {} }, resource) {
  if (allocatable[resource] === undefined) return [];
  const share = quantity(allocated[resource]) / quantity(allocatable[resource]) || 0;
  const meter = element(
    'div',
    { class: 'meter', role: 'img', 'aria-label': `${Math.round(share * 100)} % of ${label} requested` },
    [element('i', {}, [])],
  );
  meter.firstChild.style.width = `${Math.min(100, share * 100)}%`;
  return [...fact(label, `${readable(allocated[resource])} of ${readable(allocatable[resource])} requested`), meter];
}

const UNITS = { m: 1e-3, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

function quantity(text = '0') {
  const [, number, unit] = text.match(/^([\d.]+)(\w*)$/) ?? [];
  return Number(number ?? 0) * (UNITS[unit] ?? 1);
}

const bindingOf = ({ metadata }) => state.bindings.get(`${metadata.namespace}/${metadata.name}-deployment`);

/** How many replicas there should be in all: a duplicated application has its number in every cluster. */
function wanted(app, binding) {
  const placed = binding?.spec.clusters ?? [];
  return placed.length > 0 ? placed.reduce((sum, { replicas = 0 }) => sum + replicas, 0) : (app.spec.replicas ?? 1);
}

/** Thousandths are for machines: 1100m is 1.1. */
function readable(text = '0') {
  return /^\d+m$/.test(text) ? String(quantity(text)) : text;
}

function appCard(app) {
  const { namespace, name } = app.metadata;
  const binding = bindingOf(app);
  const desired = wanted(app, binding);
  const ready = app.status?.readyReplicas ?? 0;
  const tone = !binding ? 'quiet' : ready >= desired ? 'good' : 'busy';
  const word = !binding ? 'No policy matches' : `${ready} of ${desired} ready`;
  const images = app.spec.template.spec.containers.map(({ image }) => image).join(', ');
  return element('article', { class: 'card app', 'data-app': `${namespace}/${name}` }, [
    element('h3', {}, [name, pill(tone, word)]),
    element('p', { class: 'place' }, [[namespace, images, policyOf(binding)].filter(Boolean).join(' · ')]),
    element(
      'div',
      { class: 'spread' },
      (binding?.spec.clusters ?? []).map((target) => chip(target, binding)),
    ),
    ...(binding ? [whyBox(binding)] : []),
  ]);
}

/** The policy that placed it, as people name it. */
function policyOf(binding) {
  const { annotations = {} } = binding?.metadata ?? {};
  const own = annotations['propagationpolicy.karmada.io/name'];
  const shared = annotations['clusterpropagationpolicy.karmada.io/name'];
  return own ? `placed by PropagationPolicy ${own}` : shared ? `placed by ClusterPropagationPolicy ${shared}` : '';
}

function chip({ name, replicas }, binding) {
  const item = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name);
  const ready = item?.status?.readyReplicas ?? 0;
  const tone = item?.applied === false ? 'bad' : ready >= (replicas ?? 0) ? 'good' : 'busy';
  const word =
    item === undefined ? 'waiting' : item.applied === false ? 'not applied' : `${ready}/${replicas ?? 0} ready`;
  return element('span', { class: 'chip', 'data-placed-on': name, title: item?.appliedMessage ?? '' }, [
    element('span', {}, [name]),
    element('b', { class: tone === 'good' ? '' : tone }, [word]),
  ]);
}

/** "Why here?": asked only when somebody opens it, and again when the binding changed since. */
function whyBox(binding) {
  const key = `${binding.metadata.namespace}/${binding.metadata.name}`;
  const box = element('details', { 'data-why': key }, [element('summary', {}, ['Why here?'])]);
  box.open = document.querySelector(`details[data-why="${CSS.escape(key)}"]`)?.open ?? false;
  box.addEventListener('toggle', () => box.open && loadWhy(binding, key));
  if (box.open) void loadWhy(binding, key);
  const decided = state.why.get(key)?.explanation?.attempts?.at(-1);
  if (decided) box.append(whyTable(decided.clusters));
  return box;
}

async function loadWhy(binding, key) {
  if (state.why.has(key)) return;
  state.why.set(key, {});
  const { namespace, name } = binding.metadata;
  const response = await fetch(
    `${API}/apis/placement.kairship.io/v1alpha1/namespaces/${namespace}/explanations/${name}`,
  );
  if (!response.ok) return;
  state.why.set(key, await response.json());
  repaint();
}

const VERDICTS = { placed: 'placed', notChosen: 'not chosen', refused: 'refused' };

function whyTable(rows) {
  const head = ['Cluster', 'Verdict', 'Replicas', 'Capacity', 'Reason'];
  return element('table', {}, [
    element('thead', {}, [
      element(
        'tr',
        {},
        head.map((text) => element('th', { scope: 'col' }, [text])),
      ),
    ]),
    element(
      'tbody',
      {},
      rows.map((row) =>
        element('tr', {}, [
          element('td', {}, [row.name]),
          element('td', {}, [VERDICTS[row.verdict] ?? row.verdict]),
          element('td', { class: 'number' }, [row.verdict === 'placed' ? String(row.replicas) : '–']),
          element('td', { class: 'number' }, [String(row.capacity?.available ?? '–')]),
          element('td', {}, [row.reason]),
        ]),
      ),
    ),
  ]);
}

const pill = (tone, text) => element('span', { class: `pill ${tone}` }, [text]);
const fact = (name, value) => [element('dt', {}, [name]), element('dd', {}, [value])];
const byName = (a, b) => a.metadata.name.localeCompare(b.metadata.name);

function element(tag, attributes, children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== '') node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function replace(selector, nodes, emptyText) {
  const empty = element('p', { class: 'empty' }, [emptyText]);
  document.querySelector(selector).replaceChildren(...(nodes.length > 0 ? nodes : [empty]));
}
