/**
 * What the engine says, in Chinese: why, how far, what if.
 *
 * The engine's reasons are English sentences with values in them, part of its API. Each is told here once as it is
 * written, with a name for each value; `{name:}` is a sentence itself and is translated too. What is not in the table
 * is newer than this console, or said by somebody else: it is shown as it is.
 */
type Sentence = readonly [english: string, chinese: string];

const SENTENCES: readonly Sentence[] = [
  // Why it is scheduled, and why not.
  ['being deleted', '正在删除'],
  ['scheduling is suspended', '调度已暂停'],
  ['has no placement', '没有分发要求'],
  ['no policy claims it', '没有策略认领它'],
  ['claimed by a policy', '由策略认领'],
  ['not scheduled before', '首次调度'],
  ['the placement changed', '分发要求已改变'],
  ['a rebalancing was asked for', '请求了重新平衡'],
  ['what is no workload follows every change of clusters', '非工作负载随集群的每次变化重新分发'],
  ['duplicated workloads follow every change of clusters', '复制型负载随集群的每次变化重新调度'],
  ['neither placement nor replicas changed', '分发要求与副本数都没有改变'],
  ['left to the scheduler {name}', '交由调度器 {name} 处理'],
  ['cluster {name} is being deleted', '集群 {name} 正在移除'],
  ['replicas went {before} → {after}', '副本数 {before} → {after}'],
  ['evicted from {clusters}: {left} of {all} replicas are left', '已从 {clusters} 驱逐：{all} 个副本还剩 {left} 个'],
  ['computed from what there is', '根据现状计算'],
  ['it runs on {{is}} and would be placed on {{would}} now', '现运行于 {{is}}，此刻会分发到 {{would}}'],
  ['nothing that concerns it changed', '与它有关的一切都没有改变'],
  ['it follows what requires it', '跟随依赖它的对象'],
  ['its template is removed', '其模板被移除'],

  // Verdicts of filters.
  ['excluded by name', '按名称排除'],
  ['not among the clusters named', '不在指定的集群之中'],
  ['the label selector cannot be read', '标签选择器无法识别'],
  ['label {what} required, cluster has none', '要求标签 {what}，集群没有此标签'],
  ['label {what} required, cluster has {has}', '要求标签 {what}，集群为 {has}'],
  ['{what} required, cluster has none', '要求 {what}，集群没有'],
  ['{what} required, cluster has {has}', '要求 {what}，集群为 {has}'],
  ['taint {taint} does not remove what already runs here', '污点 {taint} 不影响已在此运行的负载'],
  ['taint {taint} is not tolerated', '不容忍污点 {taint}'],
  ['{api} is not served and is converted to {as}', '不提供 {api}，转换为 {as}'],
  ['{api} is not served, but it already runs here', '不提供 {api}，但已在此运行'],
  ['{api} is not among the APIs known so far', '{api} 不在目前已知的 API 之中'],
  ['{api} is not served', '不提供 {api}'],
  ['has no {property} to spread by', '没有可用于分散的 {property}'],
  ['being evicted from here ({reason})', '正在从此驱逐（{reason}）'],
  ['{other} of group {group} does not run here', '同组 {group} 的 {other} 不在此运行'],
  ['{other} of group {group} already runs here', '同组 {group} 的 {other} 已在此运行'],
  ['the cluster is being deleted', '集群正在移除'],

  // Why all clusters together were refused.
  ['0/{total} clusters are available: {reasons:}.', '{total} 个集群中没有可用的：{reasons:}。'],
  ['no cluster exists', '没有集群'],
  ['{count} cluster(s) had untolerated taint {{taint}}', '{count} 个有不容忍的污点 {{taint}}'],
  ['{count} cluster(s) did not match the placement cluster affinity constraint', '{count} 个不符合集群亲和性要求'],
  ['{count} cluster(s) did not have the API resource', '{count} 个不提供此 API 资源'],
  ['{count} cluster(s) did not have {property} property', '{count} 个没有 {property} 属性'],
  ['{count} cluster(s) is in the process of eviction', '{count} 个正在驱逐'],
  ['{count} ResourceBinding with the same affinity group does not target this cluster', '{count} 个没有同亲和组的负载'],
  ['{count} cluster already has workload with the same anti-affinity group', '{count} 个已有同反亲和组的负载'],
  ['failed to select clusters: {why:}', '选择集群失败：{why:}'],
  ['failed to assign replicas: {why:}', '分配副本失败：{why:}'],
  [
    'failed to {doing}: Clusters available replicas {room} are not enough to schedule.',
    '可用副本 {room} 个，不足以调度',
  ],
  ['no enough resource when selecting {count} clusters', '选择 {count} 个集群时资源不足'],
  ['just support cluster and region spread constraint', '只支持按集群与地域分散'],
  ['the number of feasible {what} is less than spreadConstraint.MinGroups', '可用的 {what} 少于分散要求的最小组数'],
  ['the number of clusters is less than the cluster spreadConstraint.MinGroups', '集群数少于分散要求的最小组数'],

  // How clusters were selected.
  ['no spread constraint: every feasible cluster is selected', '没有分散要求：所有可用集群都选中'],
  ['static weights: spread constraints are not looked at', '静态权重：不考虑分散要求'],
  ['{count} feasible clusters, at least {least} wanted', '可用集群 {count} 个，至少需要 {least} 个'],
  [
    'at most {most} of {count} feasible clusters, the preferred ones first',
    '{count} 个可用集群中至多取 {most} 个，优先者在前',
  ],
  ['{one} (room for {room}) instead of {other} ({otherRoom})', '以 {one}（可容纳 {room}）代替 {other}（{otherRoom}）'],
  ['{count} {dimension} groups, {least} wanted', '{dimension} 共 {count} 组，需要 {least} 组'],
  ['spread: at most {most} clusters', '分散：至多 {most} 个集群'],
  ['{dimension} {groups} was not needed', '不需要 {dimension} {groups}'],
  ['{dimension} limit reached (spread: at most {most})', '{dimension} 已达上限（分散：至多 {most}）'],

  // How replicas were counted out.
  [
    'kept: already ran here (ClusterLocality +{score}); {rest:}',
    '保留：已在此运行（ClusterLocality +{score}）；{rest:}',
  ],
  ['already ran here', '已在此运行'],
  ['would do, but {why:}', '本可选用，但{why:}'],
  ['got no replica', '没有分到副本'],
  ['all {count} replicas: Duplicated', '全部 {count} 个副本：复制'],
  ['Duplicated: {count} replicas on each of {clusters} clusters', '复制：{clusters} 个集群各 {count} 个副本'],
  ['all {count} replicas stay where they are', '全部 {count} 个副本保持不动'],
  ['keeps its {count}, plus {rest:}', '保留原有 {count} 个，另加 {rest:}'],
  ['keeps its {count}', '保留原有 {count} 个'],
  [
    'tier {tier}: {count} of {left} replicas, room for {room}',
    '第 {tier} 层：{left} 个副本中的 {count} 个，可容纳 {room}',
  ],
  ['room for {room}, {count} wanted', '可容纳 {room}，需要 {count}'],
  ['not needed: {names} holds all (Aggregated)', '不需要：{names} 即可容纳全部（聚合）'],
  ['not needed: {names} hold all (Aggregated)', '不需要：{names} 即可容纳全部（聚合）'],
  ["divided among {count} clusters by Webster's method", '按韦伯斯特法在 {count} 个集群间拆分'],
  [
    'tie for the last replica: {winner} before {losers} ({rule:})',
    '最后一个副本平局：{winner} 先于 {losers}（{rule:}）',
  ],
  ['the last name first, by the uid of the resource', '按资源 uid，名称靠后者优先'],
  ['the first name first', '名称靠前者优先'],
  ['the fewest replicas first', '副本最少者优先'],
  [
    '{weight}/{total} of {what:} × {count} replicas = {exact}, so {share}',
    '{what:} {weight}/{total} × {count} 个副本 = {exact}，取 {share}',
  ],
  [
    '{weight}/{total} of {what:} × {count} replica = {exact}, so {share}',
    '{what:} {weight}/{total} × {count} 个副本 = {exact}，取 {share}',
  ],
  ['{weight}/{total} of {what:} × {count} replicas = {share}', '{what:} {weight}/{total} × {count} 个副本 = {share}'],
  ['{weight}/{total} of {what:} × {count} replica = {share}', '{what:} {weight}/{total} × {count} 个副本 = {share}'],
  ['the weight', '权重'],
  ['what ran before', '原有副本'],
  ['the free capacity', '空闲容量'],
  ['the capacity', '容量'],

  // How much fits.
  ['the cluster has not reported its resources', '集群还没有上报资源'],
  ['no resource is requested', '没有资源请求'],
  ['pods: room for {count} more', 'pods：还可容纳 {count} 个'],
  ['{resource}: none free', '{resource}：没有空闲'],
  ['{resource}: {free} free / {each} each', '{resource}：空闲 {free}，每个 {each}'],
  ['node models: {count} fit on {nodes} nodes', '节点模型：{nodes} 个节点可容纳 {count} 个'],

  // How far it is.
  ['it was first propagated', '首次分发'],
  ['the template changed', '模板已改变'],
  ['the policy changed: {policy}', '策略已改变：{policy}'],
  ['the policy changed', '策略已改变'],
  ['it was scheduled anew', '重新调度'],
  ['its manifests changed', '清单已改变'],
  ['kept: {why:}', '保持不变：{why:}'],
  ['{healthy} of {total} clusters healthy', '{total} 个集群中 {healthy} 个健康'],
  ['created', '已创建'],
  ['updated', '已更新'],
  ['Healthy', '健康'],
  ['Unhealthy', '不健康'],
  ['Unknown', '未知'],

  // What would leave, and when.
  ['the cluster is lost', '集群丢失'],
  ['no taint of the cluster evicts', '集群没有会驱逐的污点'],
  ['nothing tolerates {taint}', '没有容忍污点 {taint}'],
  ['every taint is tolerated for good', '所有污点都被永久容忍'],
  ['the toleration of {taint} has ended', '对 {taint} 的容忍已到期'],
  ['{taint} is tolerated until then', '在此之前容忍 {taint}'],
  ['it is the last copy and no other cluster fits: {why:}', '这是最后一份，且没有其他集群可容纳：{why:}'],
  ['{after} preempts {before}', '{after} 抢占 {before}'],
  ['{after} takes over from {before}', '{after} 接替 {before}'],
  [
    'resource(kind={kind}, {name}) already exists in the cluster {cluster} and the {annotation} strategy value is empty, Karmada will not manage this resource',
    '集群 {cluster} 中已有 {kind} {name}，策略没有要求覆盖，因此不会纳管',
  ],

  // Conditions.
  ['Binding has been scheduled successfully.', '调度成功。'],
  ['All works have been successfully applied', '已全部下发成功'],
  ['Failed to apply all works, see status.aggregatedStatus for details', '未能全部下发，详见各集群状态'],
  ['Manifest has been successfully applied', '清单已下发成功'],
  ['Work is being dispatched to member clusters.', '正在下发到工作集群。'],
  ['Work dispatching is in a suspended state.', '下发已暂停。'],
  ['cluster is healthy and ready to accept workloads', '集群健康，可以接收负载'],
  ['cluster is reachable but health endpoint responded without ok', '集群可达，但健康检查未通过'],
  ['cluster is not reachable', '集群不可达'],
  ['no answer within {seconds} s', '{seconds} 秒内没有响应'],

  // Events of the engine.
  ['Binding has been scheduled successfully. Result: {{result}}', '调度成功，结果：{{result}}'],
  ['Binding has been scheduled successfully. Result {{result}}', '调度成功，结果：{{result}}'],
  ['Successfully applied resource({name}) to cluster {cluster}', '资源 {name} 已应用到集群 {cluster}'],
  ['Update Resource with AggregatedStatus successfully.', '已汇总各集群的状态。'],
  ['Get replicas of resource template successfully.', '已读取模板的副本数。'],
  ['Apply policy({name}) succeed', '策略 {name} 已生效'],
  ['Apply override policy({name}) for cluster({cluster}) succeed.', '差异化策略 {name} 已对集群 {cluster} 生效。'],
  ['Sync work of {kind}({name}) successful.', '已为 {kind} {name} 生成 Work。'],
  ['Taint cluster succeed: cluster now does not have taints.', '已更新集群污点：现在没有污点。'],
  ['Taint cluster succeed: cluster now has taints({taints}).', '已更新集群污点：{taints}。'],

  // Why somebody was let, or not.
  ['the platform itself', '平台自身'],
  ['signed in by link', '通过链接登录'],
  ['signed in by password', '通过密码登录'],
  ['signed in by {how}', '通过 {how} 登录'],
  [
    '{who:} has role "{role}" in {where:} by binding "{binding}", which contains {part:}; the role grants {right} by {point}',
    '{who:}在{where:}（包含{part:}）拥有角色 {role}（授权 {binding}），该角色以 {point} 授予 {right}',
  ],
  [
    '{who:} has role "{role}" in {where:} by binding "{binding}"; the role grants {right} by {point}',
    '{who:}在{where:}拥有角色 {role}（授权 {binding}），该角色以 {point} 授予 {right}',
  ],
  ['user "{name}", as a member of group "{group}",', '用户 {name}（用户组 {group} 的成员）'],
  ['user "{name}"', '用户 {name} '],
  ['the platform', '平台'],
  ['namespace "{name}" of {where:}', '{where:}的命名空间 {name} '],
  ['instance "{name}"', '实例 {name} '],
  ['workspace "{name}"', '工作空间 {name} '],
  ['folder "{name}"', '文件夹 {name} '],

  // What was found of a cluster, and of a kubeconfig before it is trusted.
  ['the API server answers', 'API 服务器有响应'],
  ['server {server}', '服务器 {server}'],
  ['{server} answers', '{server} 有响应'],
  ['there is no credential in it', '其中没有凭证'],
  ['the {type:} does not say when it ends', '{type:}没有说明何时到期'],
  ['the {type:} ended at {at}', '{type:}已于 {at} 到期'],
  ['the {type:} ends at {at}', '{type:}将于 {at} 到期'],
  ['token', '令牌'],
  ['certificate', '证书'],
  ['password', '密码'],
  ['{version}: Kubernetes {least} or newer is needed', '{version}：需要 Kubernetes {least} 或更新版本'],
  ['the server takes the bearer for {user}', '服务器将持有者识别为 {user}'],
  ['the bearer may manage everything', '持有者可以管理一切'],
  ['the bearer may read everything', '持有者可以读取一切'],
  ['the bearer may not {what} and {more} more', '持有者不能 {what} 等，另有 {more} 项'],
  ['the bearer may not {what}', '持有者不能 {what}'],
  ['it serves {group}', '提供 {group}'],
  ['it does not serve {group}', '不提供 {group}'],
  ['cluster "{name}" is in the inventory already, as "{other}"', '集群 {name} 已接入，名为 {other}'],
  ['cluster "{name}" cannot be used: {why:}', '集群 {name} 无法使用：{why:}'],

  // Why a request was refused.
  ['{kind} "{name}" is in use by {who}: delete those first', '{kind} {name} 正被 {who} 使用：请先删除它们'],
  [
    'namespace "{name}" is in use: delete its workloads first, {what} among them',
    '命名空间 {name} 正在使用：请先删除其中的工作负载，例如 {what}',
  ],
  ['admission webhook "{hook}" denied the request: {why:}', '准入检查 {hook} 拒绝了请求：{why:}'],
  ['application failover is set, propagateDeps must be true', '设置了应用故障迁移，必须开启依赖自动分发'],
  ['{kinds} "{name}" is invalid: {why:}', '{kinds} {name} 无效：{why:}'],
  ['{path}: Required value: {why:}', '缺少 {path}：{why:}'],
  ['{path}: Required value', '缺少 {path}'],
  ['{path}: Unsupported value: {value}: supported values: {values}', '{path} 不支持 {value}，可选：{values}'],
  ['{path}: Invalid value: {value}: {why:}', '{path} 的值 {value} 无效：{why:}'],
  ['{path}: Forbidden: {why:}', '{path} 不允许：{why:}'],
  ['{kinds} "{name}" already exists', '{kinds} {name} 已存在'],
  ['{kinds} "{name}" not found', '{kinds} {name} 不存在'],
];

interface Compiled {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly chinese: string;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const HOLE = /\{(\w+:?)\}/g;

function compiled([english, chinese]: Sentence): Compiled {
  const names = Array.from(english.matchAll(HOLE), ([, name = '']) => name);
  const parts = english.split(HOLE).map((part, index) => (index % 2 === 0 ? escaped(part) : '(.+?)'));
  return { pattern: new RegExp(`^${parts.join('')}$`), names, chinese };
}

const TABLE = SENTENCES.map(compiled);

/** Reasons of several clusters are told one after another. */
const SEVERAL = /, (?=\d+ (?:cluster|ResourceBinding))/;

/** The same in Chinese, as far as it is known. */
export function inChinese(text: string): string {
  const several = /^\d+ /.test(text) ? text.split(SEVERAL) : [];
  if (several.length > 1) return several.map(inChinese).join('，');
  for (const { pattern, names, chinese } of TABLE) {
    const found = pattern.exec(text);
    if (!found) continue;
    const values = new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
    return chinese.replaceAll(HOLE, (hole, name: string) => {
      const value = values.get(name);
      return value === undefined ? hole : name.endsWith(':') ? inChinese(value) : value;
    });
  }
  return text;
}
