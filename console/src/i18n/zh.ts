/** 中文。术语：多云实例、工作集群、部署策略（PropagationPolicy）、差异化策略（OverridePolicy）、分发、驱逐、接入、纳管。 */
import { access } from './zh/access.ts';
import { engine } from './zh/engine.ts';
import { instance } from './zh/instance.ts';
import { placement } from './zh/placement.ts';
import { platform } from './zh/platform.ts';
import { shell } from './zh/shell.ts';
import { workload } from './zh/workload.ts';

export const zh = {
  ...shell,
  ...platform,
  ...access,
  ...instance,
  ...workload,
  ...placement,
  ...engine,
} as const;
