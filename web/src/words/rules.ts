/* The rules in our own words; the numbers come from the board. */
import { w } from './word';

export const RULES = {
  'rules.title': w('Regeln: {board}', 'Rules: {board}', 'Règles : {board}'),
  'rules.length': w('Länge', 'Length', 'Longueur'),
  'rules.points': w('Punkte einer Strecke nach ihrer Länge', 'Points for a route by its length', 'Points d’une ligne selon sa longueur'),
  'rules.goal': w('Worum es geht', 'Goal', 'Le but'),
  'rules.goal.text': w(
    'Ihr baut Strecken auf dem Spielplan {board}. Punkte gibt es für jede gebaute Strecke und für erfüllte Zielkarten; wer am Ende die meisten hat, gewinnt.',
    'You build routes on the {board} board. You score points for every route you build and every ticket you complete; whoever has the most points at the end wins.',
    'Vous construisez des lignes sur le plateau {board}. Chaque ligne construite et chaque billet réussi rapportent des points ; le plus grand total gagne.',
  ),
  'rules.setup': w('Vorbereitung', 'Setting up', 'Mise en place'),
  'rules.setup.text': w(
    'Alle bekommen {pieces}, {cards} Karten und {tickets} Zielkarten. Von den Zielkarten behält man mindestens {keep}; alle wählen gleichzeitig und geheim. Fünf Karten liegen offen neben dem Stapel.',
    'Everybody gets {pieces}, {cards} cards and {tickets} tickets. Keep at least {keep} of the tickets; everybody chooses at the same time and in secret. Five cards lie face up beside the deck.',
    'Chacun reçoit {pieces}, {cards} cartes et {tickets} billets, et garde au moins {keep} {keep|billet|billets} ; tous choisissent en même temps et en secret. Cinq cartes sont visibles à côté de la pioche.',
  ),
  'rules.setup.cards': w(
    'Es gibt {total} Karten. Ein Joker (Bild: {wild}) steht für jede Farbe.',
    'There are {total} cards. A wild card (picture: {wild}) counts as any colour.',
    'Il y a {total} cartes. Un joker (image : {wild}) remplace n’importe quelle couleur.',
  ),
  'rules.turn': w('Ein Zug', 'A turn', 'Un tour'),
  'rules.turn.text': w(
    'Wer dran ist, tut genau eines davon: Karten nehmen, eine Strecke bauen oder Zielkarten ziehen. Nur wer nichts davon kann, passt.',
    'On your turn you do exactly one thing: draw cards, build one route or draw tickets. You may pass only if you can do none of these.',
    'À ton tour, tu fais une seule chose : prendre des cartes, construire une ligne ou piocher des billets. On ne passe que si rien n’est possible.',
  ),
  'rules.draw': w('Karten nehmen', 'Drawing cards', 'Prendre des cartes'),
  'rules.draw.text': w(
    'Du nimmst zwei Karten nacheinander, offen oder verdeckt vom Stapel. Eine offene Karte wird sofort ersetzt. Du darfst beliebig viele Karten halten.',
    'Take two cards, one after the other, either face up or from the deck. A face-up card is replaced at once. You may hold any number of cards.',
    'Prends deux cartes l’une après l’autre, visibles ou de la pioche. Une carte visible est remplacée aussitôt. Tu peux avoir autant de cartes que tu veux en main.',
  ),
  'rules.draw.wild': w(
    'Ein offener Joker als erste Karte ist die einzige des Zuges; als zweite Karte darf er nicht offen genommen werden. Verdeckt gezogen zählt er wie jede andere Karte.',
    'If your first card is a face-up wild card, it is the only card you take; as your second card you cannot take a wild card face up. Drawn from the deck, it counts like any other card.',
    'Un joker visible pris en premier est la seule carte du tour ; on ne peut pas le prendre visible en second. Pioché, il compte comme une autre carte.',
  ),
  'rules.draw.three': w(
    'Liegen drei oder mehr Joker offen, werden alle fünf offenen Karten abgelegt und neu ausgelegt. Ist der Stapel leer, wird die Ablage neu gemischt.',
    'When three or more wild cards lie face up, all five face-up cards are discarded and replaced. When the deck is empty, the discards are shuffled to form a new one.',
    'Dès que trois jokers ou plus sont visibles, les cinq cartes visibles sont défaussées et remplacées. Quand la pioche est vide, on mélange la défausse.',
  ),
  'rules.claim': w('Strecke bauen', 'Building a route', 'Construire une ligne'),
  'rules.claim.text': w(
    'Spiele so viele Karten in der Farbe der Strecke, wie sie Felder hat, und stelle auf jedes Feld eine Figur. Joker ersetzen jede Farbe. Jede freie Strecke ist erlaubt, sie muss an keine andere anschließen. Höchstens eine Strecke pro Zug.',
    'Play as many cards of the route’s colour as the route has spaces, and put a piece on each space. Wild cards count as any colour. You may build any free route, whether or not it connects to your others, but only one in a turn.',
    'Joue autant de cartes de la couleur de la ligne qu’elle a de cases et pose une pièce sur chaque case. Les jokers remplacent toute couleur. Toute ligne libre est permise, reliée ou non aux tiennes. Une seule par tour.',
  ),
  'rules.claim.gray': w(
    'Graue Strecken kosten Karten einer beliebigen, aber nur einer Farbe.',
    'Gray routes can be paid for with cards of any one colour.',
    'Les lignes grises se paient dans une seule couleur au choix.',
  ),
  'rules.claim.single': w(
    'Strecken für {pieces} haben nur ein Feld: Die Zahl darauf sagt, wie viele Karten sie kosten; darauf kommt eine {piece}.',
    'Routes for {pieces} have a single space: the number on it says how many cards the route costs, and you place one {piece}.',
    'Les lignes de {pieces} n’ont qu’une case : le nombre indique combien de cartes elles coûtent ; on y pose un {piece}.',
  ),
  'rules.claim.double': w(
    'Von einer Doppelstrecke darf niemand beide Gleise bauen. Bei bis zu {n} Spielern wird nur eines der beiden benutzt.',
    'Nobody may build both lanes of a double route. With up to {n} players, only one of the two lanes is used.',
    'Personne ne peut construire les deux voies d’une ligne double. Jusqu’à {n} joueurs, une seule des deux sert.',
  ),
  'rules.claim.points': w('Die Punkte gibt es sofort.', 'You score its points at once.', 'Les points sont marqués aussitôt.'),
  'rules.claim.later': w('Die Punkte werden erst am Ende gezählt.', 'Points for routes are counted only at the end.', 'Les points ne sont comptés qu’à la fin.'),
  'rules.tickets': w('Zielkarten', 'Tickets', 'Billets'),
  'rules.tickets.text': w(
    'Ziehe {n} Zielkarten (oder so viele es noch gibt) und behalte mindestens {keep}. Der Rest kommt unter den Stapel. Behaltene bleiben bis zum Ende geheim.',
    'Draw {n} tickets (or as many as are left) and keep at least {keep}. The rest go to the bottom of the deck. The tickets you keep stay secret until the end.',
    'Pioche {n} billets (ou ce qui reste) et gardes-en au moins {keep}. Le reste va sous la pioche de billets. Ceux que tu gardes restent secrets jusqu’à la fin.',
  ),
  'rules.tickets.count': w(
    'Sind beide Orte am Ende durch deine eigenen Strecken verbunden, bekommst du die Punkte der Zielkarte, sonst verlierst du sie.',
    'If your own routes connect both places at the end, you score the points on the ticket; otherwise you lose them.',
    'Si tes lignes relient les deux lieux à la fin, tu gagnes les points du billet ; sinon, tu les perds.',
  ),
  'rules.bonus.other': w('{name}: {points} Punkte.', '{name}: {points} points.', '{name} : {points} points.'),
  'rules.end': w('Ende', 'End of the game', 'Fin'),
  'rules.end.text': w(
    'Hat jemand am Ende des eigenen Zuges höchstens noch {n} {n|Figur|Figuren}, dann sind alle, auch diese Person, noch genau einmal dran.',
    'When somebody has {n} or fewer pieces left at the end of their turn, everybody, including that player, takes exactly one more turn.',
    'Quand quelqu’un termine son tour avec {n} {n|pièce|pièces} ou moins, chacun, lui compris, joue encore exactement une fois.',
  ),
  'rules.end.score': w(
    'Dann werden die Zielkarten aufgedeckt und alles zusammengezählt. Die meisten Punkte gewinnen.',
    'Then the tickets are revealed and everything is added up. The most points win.',
    'Puis on montre les billets et on additionne. Le plus grand total gagne.',
  ),
  'rules.end.tie': w('Bei Gleichstand entscheidet: {order}; danach wird der Platz geteilt.', 'Ties are broken by: {order}; if still tied, players share the place.', 'Départage : {order} ; ensuite la place est partagée.'),
  'rules.tie.tickets': w('mehr erfüllte Zielkarten', 'more completed tickets', 'plus de billets réussis'),
};
