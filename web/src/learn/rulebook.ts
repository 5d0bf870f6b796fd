/* The rules of a board as sections of text, made from its numbers. */
import type { Board } from '../board/board';
import type { Lang } from '../settings.svelte';
import { say, type Values } from '../words/i18n';
import type { Key } from '../words';

export interface PointsTable {
  caption: string;
  lengths: number[];
  rows: { name: string; points: (number | null)[] }[];
}

export interface Section {
  title: string;
  paragraphs: string[];
  points?: PointsTable;
  cards?: boolean;
}

export function rulesOf(board: Board, lang: Lang): Section[] {
  const data = board.data;
  const tell = (key: Key, values: Values = {}): string => say(key, lang, values);
  const pieces = data.pieces
    .map((kind) => `${kind.count} ${board.piece(kind.id, kind.count, lang)}`)
    .join(' + ');
  const wild = board.wildPicture(lang);
  const hasGray = data.routes.some((route) => route.color === 'gray');
  const hasDouble = data.routes.some((route) => route.twin);
  const single = data.pieces.find((kind) => kind.one_per_route);
  const total = data.colors.reduce((sum, color) => sum + color.count, 0);

  const sections: Section[] = [
    { title: tell('rules.goal'), paragraphs: [tell('rules.goal.text', { board: board.name(lang) })] },
    {
      title: tell('rules.setup'),
      paragraphs: [
        tell('rules.setup.text', { pieces, cards: data.deal_cards, tickets: data.deal_tickets, keep: data.deal_keep }),
        tell('rules.setup.cards', { total, wild }),
      ],
      cards: true,
    },
    { title: tell('rules.turn'), paragraphs: [tell('rules.turn.text')] },
    {
      title: tell('rules.draw'),
      paragraphs: [tell('rules.draw.text'), tell('rules.draw.wild'), tell('rules.draw.three')],
    },
    {
      title: tell('rules.claim'),
      paragraphs: [
        tell('rules.claim.text'),
        ...(hasGray ? [tell('rules.claim.gray')] : []),
        ...(single
          ? [tell('rules.claim.single', { piece: board.piece(single.id, 1, lang), pieces: board.piece(single.id, 2, lang) })]
          : []),
        ...(hasDouble ? [tell('rules.claim.double', { n: data.single_lane_up_to })] : []),
        tell(data.score_track ? 'rules.claim.points' : 'rules.claim.later'),
      ],
      points: pointsOf(board, lang),
    },
    {
      title: tell('rules.tickets'),
      paragraphs: [
        tell('rules.tickets.text', { n: data.draw_tickets, keep: data.draw_keep }),
        tell('rules.tickets.count'),
      ],
    },
  ];
  for (const bonus of data.bonuses) {
    const name = board.bonusName(bonus.kind, lang);
    const rules = bonus.rules.map((rule) => rule[lang] ?? rule['en'] ?? '');
    if (!rules.length) rules.push(tell('rules.bonus.other', { name, points: bonus.points }));
    sections.push({ title: name, paragraphs: rules });
  }
  sections.push({
    title: tell('rules.end'),
    paragraphs: [
      tell('rules.end.text', { n: data.last_round_at }),
      tell('rules.end.score'),
      tell('rules.end.tie', { order: data.tie_breaks.map((word) => tieWord(board, word, lang)).join(', ') }),
    ],
  });
  return sections;
}

function pointsOf(board: Board, lang: Lang): PointsTable {
  const lengths = [...new Set(board.data.pieces.flatMap((kind) => Object.keys(kind.points).map(Number)))].sort((a, b) => a - b);
  return {
    caption: say('rules.points', lang),
    lengths,
    rows: board.data.pieces.map((kind) => ({
      name: board.piece(kind.id, 2, lang),
      points: lengths.map((n) => kind.points[`${n}`] ?? null),
    })),
  };
}

function tieWord(board: Board, word: string, lang: Lang): string {
  return word === 'tickets' ? say('rules.tie.tickets', lang) : board.bonusName(word, lang);
}
