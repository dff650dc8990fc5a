import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inChinese } from './reasons.ts';

describe('what the engine says, in Chinese', () => {
  const cases: readonly [english: string, chinese: string][] = [
    ['taint edge=true:NoSchedule is not tolerated', '不容忍污点 edge=true:NoSchedule'],
    ['replicas went 6 → 8', '副本数 6 → 8'],
    [
      'kept: already ran here (ClusterLocality +100); 40/64 of the weight × 8 replicas = 5',
      '保留：已在此运行（ClusterLocality +100）；权重 40/64 × 8 个副本 = 5',
    ],
    ['24/64 of the free capacity × 1 replica = 0.38, so 0', '空闲容量 24/64 × 1 个副本 = 0.38，取 0'],
    [
      '0/3 clusters are available: 1 cluster(s) did not have the API resource, 2 cluster(s) had untolerated taint {a=b:NoExecute}.',
      '3 个集群中没有可用的：1 个不提供此 API 资源，2 个有不容忍的污点 {a=b:NoExecute}。',
    ],
    [
      'would do, but failed to assign replicas: failed to do fresh scale: Clusters available replicas 3 are not enough to schedule.',
      '本可选用，但分配副本失败：可用副本 3 个，不足以调度',
    ],
    ['it runs on {a} and would be placed on {b} now', '现运行于 {a}，此刻会分发到 {b}'],
    [
      'tie for the last replica: a before b, c (the first name first)',
      '最后一个副本平局：a 先于 b, c（名称靠前者优先）',
    ],
    ['label tier=prod required, cluster has tier=dr', '要求标签 tier=prod，集群为 tier=dr'],
    ['region=eu required, cluster has none', '要求 region=eu，集群没有'],
    ['cpu: 2250m free / 250m each', 'cpu：空闲 2250m，每个 250m'],
    ['Binding has been scheduled successfully. Result: {a:4, b:4}', '调度成功，结果：{a:4, b:4}'],
    [
      'user "ann" has role "admin" in the platform by binding "first-admin"; the role grants ghippo/token/create by */*/*',
      '用户 ann 在平台拥有角色 admin（授权 first-admin），该角色以 */*/* 授予 ghippo/token/create',
    ],
    [
      'user "bo" has role "viewer" in the platform by binding "b", which contains instance "demo"; the role grants a/b/c by view *',
      '用户 bo 在平台（包含实例 demo ）拥有角色 viewer（授权 b），该角色以 view * 授予 a/b/c',
    ],
    ['2 of 3 clusters healthy', '3 个集群中 2 个健康'],
    ['the certificate ends at 2027-01-01T00:00:00.000Z', '证书将于 2027-01-01T00:00:00.000Z 到期'],
    ['https://10.0.0.1:6443 answers', 'https://10.0.0.1:6443 有响应'],
    ['the bearer may not get pods, list pods and 3 more', '持有者不能 get pods, list pods 等，另有 3 项'],
    ['deployments.apps "web" already exists', 'deployments.apps web 已存在'],
    [
      'admission webhook "propagationpolicy.karmada.io" denied the request: spec.propagateDeps: Invalid value: false: application failover is set, propagateDeps must be true',
      '准入检查 propagationpolicy.karmada.io 拒绝了请求：spec.propagateDeps 的值 false 无效：设置了应用故障迁移，必须开启依赖自动分发',
    ],
    [
      'PropagationPolicy "p" is in use by Deployment web, Job once: delete those first',
      'PropagationPolicy p 正被 Deployment web, Job once 使用：请先删除它们',
    ],
  ];
  for (const [english, chinese] of cases) it(english, () => assert.equal(inChinese(english), chinese));

  it('is shown as it is where it is not known', () => {
    assert.equal(inChinese('somebody says something else'), 'somebody says something else');
    assert.equal(inChinese(''), '');
  });
});
