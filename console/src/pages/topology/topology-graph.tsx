/**
 * The graph, drawn: laid out in layers, to be moved and zoomed, every node reached by Tab and opened by Enter.
 *
 * Loaded when first looked at. Whoever would rather read has the table beside it.
 */
import { graphlib, layout } from '@dagrejs/dagre';
import { Background, Controls, type Edge, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import './topology.css';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ObjectRef } from '../../api/objects.ts';
import { ago, moment } from '../../i18n/words.ts';
import { StateIcon } from '../../parts/status.tsx';
import type { Graph, GraphNode } from './graph.ts';
import { NodeLink } from './topology-tab.tsx';

const WIDTH = 196;
const HEIGHT = 58;

type Drawn = Node<{ readonly node: GraphNode; readonly of: ObjectRef }, 'stage'>;

export function TopologyGraph({ of, graph }: { readonly of: ObjectRef; readonly graph: Graph }) {
  const { t } = useTranslation();
  const { nodes, edges, height } = useMemo(() => drawn(of, graph), [of, graph]);
  return (
    <div className="topology" style={{ height: Math.min(640, Math.max(240, height * 0.8 + 40)) }}>
      <ReactFlow
        // Another shape begins with all of it in sight; a mere change of state leaves the view where it is.
        key={nodes.length}
        aria-label={t('topology.title')}
        nodes={nodes}
        edges={edges}
        nodeTypes={TYPES}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.06 }}
        minZoom={0.2}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          'controls.ariaLabel': t('topology.controls'),
          'controls.zoomIn.ariaLabel': t('topology.zoomIn'),
          'controls.zoomOut.ariaLabel': t('topology.zoomOut'),
          'controls.fitView.ariaLabel': t('topology.fit'),
        }}
      >
        <Background gap={18} size={1} color="var(--k-line)" />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

function StageNode({ data: { node, of } }: NodeProps<Drawn>) {
  const { t } = useTranslation();
  const { stage, title, note, state, cluster, at, kind, clusters } = node;
  const said =
    note ||
    (clusters !== undefined ? t('topology.placedOn', { count: clusters }) : '') ||
    (stage === 'work' || stage === 'pod' ? cluster : t(`state.${state}`));
  return (
    <div
      className="topology-node"
      data-state={state}
      data-node={node.id}
      title={[title, note].filter(Boolean).join('\n')}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <div className="topology-stage">
        <span className="status" data-state={state}>
          <StateIcon state={state} size={12} />
        </span>
        <span className="clip">{stage === 'object' ? kind : t(`topology.stage.${stage}`)}</span>
        <span style={{ flex: 1 }} />
        {at > 0 && <span title={moment(at)}>{ago(at)}</span>}
      </div>
      <div className="clip" style={{ fontWeight: 550 }}>
        <NodeLink of={of} node={node}>
          {title}
        </NodeLink>
      </div>
      <div className="clip soft">{said}</div>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

const TYPES = { stage: StageNode };

function drawn(
  of: ObjectRef,
  graph: Graph,
): { readonly nodes: Drawn[]; readonly edges: Edge[]; readonly height: number } {
  const plan = new graphlib.Graph();
  plan.setGraph({ rankdir: 'LR', nodesep: 10, ranksep: 46 });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const { id } of graph.nodes) plan.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const { from, to } of graph.edges) plan.setEdge(from, to);
  layout(plan);
  const placeOf = (id: string) => plan.node(id) as { readonly x: number; readonly y: number };
  return {
    height: Math.max(...graph.nodes.map(({ id }) => placeOf(id).y + HEIGHT)),
    nodes: graph.nodes.map((node) => ({
      id: node.id,
      type: 'stage',
      position: { x: placeOf(node.id).x - WIDTH / 2, y: placeOf(node.id).y - HEIGHT / 2 },
      width: WIDTH,
      height: HEIGHT,
      data: { node, of },
    })),
    edges: graph.edges.map(({ from, to }) => ({
      id: `${from}>${to}`,
      source: from,
      target: to,
      className: `to-${graph.nodes.find(({ id }) => id === to)?.state ?? 'unknown'}`,
    })),
  };
}
