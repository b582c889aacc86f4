// The look of a drawn tree. It is part of the picture, so that an exported file needs nothing else.

export const LOOK = `
svg.tree { background: #fff; font-family: system-ui, sans-serif; }
.tree text { text-anchor: middle; fill: #000; }
.tree .edge { fill: none; stroke: #567; stroke-width: 1.2; }
.tree .edge.ahead { stroke: #d3d8dd; }
.tree .edge.pruned { stroke: #b9b9b9; stroke-dasharray: 3 3; }
.tree .edge.technique { stroke: #b06a00; stroke-dasharray: 7 3; }
.tree .edge.main { stroke: #0b3d91; stroke-width: 4; }
.tree .edge.open { stroke: #c2410c; stroke-width: 2.4; }
.tree .table-link { fill: none; stroke: #7a3fb0; stroke-width: 1.4; stroke-dasharray: 2 4; opacity: .25; }
.tree .table-link.now { opacity: 1; stroke-width: 2.5; }
.tree .shape { fill: #f4f8ff; stroke: #234; stroke-width: 1.2; }
.tree .ahead .shape { fill: #fff; stroke: #b8c0c8; }
.tree .open .shape { fill: #fff3d6; stroke: #8a5a00; stroke-width: 2; }
.tree .pruned .shape { fill: #f7f7f7; stroke: #b9b9b9; stroke-dasharray: 3 3; }
.tree .technique .shape { stroke: #b06a00; stroke-dasharray: 7 3; }
.tree .table .shape { stroke: #7a3fb0; }
.tree .current .shape { stroke: #c2410c; stroke-width: 4; }
.tree .found .shape { stroke: #0b5cad; stroke-width: 5; }
.tree .unknown { visibility: hidden; }
.tree .ring { fill: none; stroke: none; stroke-width: 3; }
.tree .alpha-source .ring { stroke: #0b7a3b; }
.tree .beta-source .ring { stroke: #0b5cad; }
.tree .cut-value .ring, .tree .cut-bound .ring { stroke: #b03030; stroke-width: 4; }
.tree .value { font-size: 12px; }
.tree .value.long { font-size: 8px; }
.tree .open .value { font-style: italic; fill: #6b4600; }
.tree .pruned .value, .tree .ahead .value { fill: #6b6b6b; }
.tree .window { font-size: 10px; fill: #456; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.tree .open .window { font-weight: 700; fill: #6b4600; }
.tree .name { font-size: 11px; fill: #246; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.tree .fold { font-size: 10px; fill: #555; }
.tree .technique .fold { fill: #8a5200; }
.tree .chosen .shape { stroke: #0b5cad; stroke-width: 4; }
.tree .item { cursor: pointer; }
`;
