/* Words of the coach: what a beginner asks next. Two lines on a small phone have room for each. */
import { w } from './word';

export const COACH = {
  coach: w('Erklärung', 'Explanation', 'Explication'),
  'coach.away': w('Verstanden', 'Got it', 'Compris'),
  'settings.coach': w('Erklärungen für Einsteiger', 'Explanations for beginners', 'Explications pour débuter'),
  'settings.coach.hint': w(
    'In den ersten drei Spielen eine Zeile über der Hand',
    'A line above your hand in the first three games',
    'Une ligne au-dessus de ta main dans les trois premières parties',
  ),

  'coach.choose': w(
    'Verbindest du beide Orte, bekommst du die Punkte; sonst verlierst du sie.',
    'Connect both places to win the points; otherwise you lose them.',
    'Relie les deux lieux pour gagner les points ; sinon, tu les perds.',
  ),
  'coach.far': w(
    '{a} und {b} liegen weit auseinander: Kaum eine Strecke hilft beiden.',
    '{a} and {b} are far apart: hardly any route helps both.',
    '{a} et {b} sont très éloignés : presque aucune ligne ne sert aux deux.',
  ),
  'coach.farOwn': w(
    'Deine Ziele für {a} und {b} Punkte liegen weit auseinander: Fang mit einem an.',
    'Your tickets for {a} and {b} points are far apart: start with one of them.',
    'Tes billets à {a} et {b} points sont très éloignés : commence par l’un des deux.',
  ),
  'coach.pay.gray': w(
    'Grau nimmt jede Farbe, aber alle Karten müssen gleich sein. Joker passen dazu.',
    'Gray takes any colour, but all cards must match. Wild cards fit in.',
    'Le gris accepte toute couleur, mais une seule à la fois. Les jokers complètent.',
  ),
  'coach.pay.lanes': w(
    'Eine Doppelstrecke hat zwei Gleise. Du darfst nur eins davon bauen.',
    'A double route has two lanes. You may build only one of them.',
    'Une ligne double a deux voies. Tu ne peux en construire qu’une.',
  ),
  'coach.pay.wild': w(
    'Joker ersetzen, was fehlt. Wer ohne sie bezahlt, hat sie später noch.',
    'Wild cards fill gaps. Pay without them and you keep them for later.',
    'Les jokers comblent les manques. Payer sans eux les garde pour plus tard.',
  ),
  'coach.lastTurn': w(
    'Letzte Runde, noch {n} {n|Zug|Züge}: Das ist dein letzter. Karten auf der Hand zählen nichts.',
    'Last round, {n} {n|turn|turns} left: this is your last. Cards in hand count for nothing.',
    'Dernier tour, encore {n} {n|coup|coups} : c’est ton dernier. Les cartes en main ne comptent pas.',
  ),
  'coach.lastRound': w(
    'Die letzte Runde läuft: noch {n} Züge, einer davon ist deiner.',
    'The last round has begun: {n} turns left, one of them is yours.',
    'Le dernier tour a commencé : encore {n} coups, dont un à toi.',
  ),
  'coach.lastOthers': w(
    'Die letzte Runde läuft: noch {n} {n|Zug|Züge} der anderen, dann wird gezählt.',
    'The last round: the others have {n} {n|turn|turns} left, then points are counted.',
    'Dernier tour : encore {n} {n|coup|coups} des autres, puis on compte les points.',
  ),
  'coach.wildShut': w(
    'Ein offener Joker zählt wie zwei Karten. Als zweite Karte geht er nicht mehr.',
    'A face-up wild card counts as two cards. It cannot be your second card.',
    'Un joker visible compte pour deux cartes. Impossible en deuxième carte.',
  ),
  'coach.lost': w(
    '{ticket} ist nicht mehr zu schaffen. Das kostet am Ende {n} {n|Punkt|Punkte}.',
    '{ticket} can no longer be completed. It will cost {n} {n|point|points}.',
    '{ticket} n’est plus réalisable : il coûtera {n} {n|point|points}.',
  ),
  'coach.ending': w(
    '{player} hat nur noch {n} {pieces}. Bei höchstens {least} beginnt die letzte Runde.',
    '{player} has only {n} {pieces} left. At {least} or fewer the last round begins.',
    '{player} n’a plus que {n} {pieces}. À {least} ou moins, c’est le dernier tour.',
  ),
  'coach.endingOwn': w(
    'Du hast nur noch {n} {pieces}. Bei höchstens {least} beginnt die letzte Runde.',
    'You have only {n} {pieces} left. At {least} or fewer the last round begins.',
    'Tu n’as plus que {n} {pieces}. À {least} ou moins, c’est le dernier tour.',
  ),
  'coach.swept': w(
    'Liegen drei Joker offen, werden alle fünf offenen Karten ausgetauscht.',
    'When three wild cards lie face up, all five face-up cards are replaced.',
    'Dès que trois jokers sont visibles, les cinq cartes sont remplacées.',
  ),
  'coach.turn': w(
    'Je Zug nur eins: zwei Karten nehmen, eine Strecke bauen oder Zielkarten ziehen.',
    'One thing a turn: take two cards, build one route or draw tickets.',
    'Une seule chose par tour : deux cartes, une ligne ou de nouveaux billets.',
  ),
  'coach.allDone': w(
    'Alle Ziele sind verbunden. Neue Zielkarten bringen Punkte, wenn noch Zeit ist.',
    'All your tickets are connected. New ones bring points if there is time.',
    'Tous tes billets sont reliés. De nouveaux rapportent, s’il reste du temps.',
  ),
  'coach.done': w(
    '{ticket} ist verbunden und bleibt es: {n} {n|Punkt|Punkte} am Ende.',
    '{ticket} is connected for good: {n} {n|point|points} at the end.',
    '{ticket} est relié pour de bon : {n} {n|point|points} à la fin.',
  ),
  'coach.glow': w(
    'Umrandete Strecken kannst du jetzt bezahlen. Wähl eine aus, um sie zu bauen.',
    'You can pay for outlined routes now. Choose one to build it.',
    'Tu peux payer les lignes entourées. Choisis-en une pour la construire.',
  ),
  'coach.gray': w(
    'Graue Strecken nehmen jede Farbe, aber nur eine auf einmal: hier {n} × {color}.',
    'Gray routes take any colour, but only one at a time: here {n} × {color}.',
    'Une ligne grise prend toute couleur, mais une seule à la fois : ici {n} × {color}.',
  ),
  'coach.wildAlone': w(
    'Ein offener Joker zählt wie zwei Karten: Nimmst du ihn, ist dein Zug vorbei.',
    'A face-up wild card counts as two cards: take it and your turn is over.',
    'Un joker visible compte pour deux cartes : si tu le prends, ton tour est fini.',
  ),
  'coach.wildHand': w(
    'Joker auf der Hand ersetzen Karten jeder Farbe, so viele du willst.',
    'Wild cards in your hand stand for any colour, as many as you like.',
    'Les jokers de ta main remplacent toute couleur, autant que tu veux.',
  ),
  'coach.shut': w(
    'Mit {n} Spielern wird nur ein Gleis gebaut; das schraffierte daneben ist gesperrt.',
    'With {n} players only one lane is used; the hatched one beside it is shut.',
    'À {n} joueurs, une seule voie sert ; la voie hachurée d’à côté est fermée.',
  ),
  'coach.shutOwn': w(
    'Schraffiert: Das Gleis daneben gehört dir schon, und beide darf niemand bauen.',
    'Hatched: the lane beside it is yours already, and nobody may build both.',
    'Hachurée : l’autre voie est déjà à toi, et personne ne construit les deux.',
  ),
  'coach.price': w(
    'Die Zahl auf der Strecke ist ihr Preis: {n} Karten, aber nur eine Figur ({piece}).',
    'The number on the route is its price: {n} cards, but only one piece ({piece}).',
    'Le nombre sur la ligne est son prix : {n} cartes, mais une seule pièce ({piece}).',
  ),
  'coach.pieces': w(
    'Du hast noch {n} {pieces}. Hat jemand höchstens {least}, kommt die letzte Runde.',
    'You have {n} {pieces} left. Once somebody has {least} or fewer, the last round begins.',
    'Il te reste {n} {pieces}. Quand quelqu’un en a {least} ou moins, c’est le dernier tour.',
  ),
  'coach.bonus': w('{special}', '{special}', '{special}'),
  'coach.later': w(
    'Punkte für Strecken gibt es auf diesem Spielplan erst, wenn das Spiel zu Ende ist.',
    'On this board, points for routes are counted only at the end.',
    'Sur ce plateau, les points des lignes ne sont comptés qu’à la fin.',
  ),
  'coach.anywhere': w(
    'Du darfst überall bauen: Strecken müssen nicht aneinander anschließen.',
    'You may build anywhere: routes need not join up.',
    'Tu peux construire partout : les lignes n’ont pas à se suivre.',
  ),
};
