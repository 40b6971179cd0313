(* The second player wins Tactics on four by four squares.

   A player fills 1 to 4 empty squares side by side in a row or a column. The player who fills the last square loses.

   The theorem at the end depends on the definitions of [masks], [wins] and [loses] alone. [members.py] writes the list of
   [Members.v] from the certificate; nothing needs to be believed about it. *)

Require Import NArith List Bool Lia.
Require Import MSets.MSetPositive.
Require Import Members.
Import ListNotations.
Open Scope N_scope.

(* * The rules *)

(* A board is a number: bit 4r + c is the square in row r and column c, and is 1 if the square is filled. *)
Definition square (row column : N) : N := N.shiftl 1 (4 * row + column).

(* The squares at [place 0], ..., [place (length - 1)]. *)
Fixpoint line (place : N -> N) (length : nat) : N :=
  match length with
  | O => 0
  | S rest => N.lor (place (N.of_nat rest)) (line place rest)
  end.

(* The sets of squares that one move can fill: lines of one to four squares that begin in each row and column and fit. *)
Definition masks : list N :=
  flat_map (fun row => flat_map (fun column => flat_map (fun length =>
    (if column + N.of_nat length <=? 4 then [line (fun step => square row (column + step)) length] else [])
    ++ (if row + N.of_nat length <=? 4 then [line (fun step => square (row + step) column) length] else []))
    [1; 2; 3; 4]%nat) [0; 1; 2; 3]) [0; 1; 2; 3].

(* The player to move wins, or loses. Without a move, the other player has filled the last square. *)
Inductive wins : N -> Prop :=
  | wins_at_the_end board :
      (forall mask, In mask masks -> N.land board mask <> 0) -> wins board
  | wins_by_a_move board mask :
      In mask masks -> N.land board mask = 0 -> loses (N.lor board mask) -> wins board
with loses : N -> Prop :=
  | loses_by_all_moves board :
      (exists mask, In mask masks /\ N.land board mask = 0) ->
      (forall mask, In mask masks -> N.land board mask = 0 -> wins (N.lor board mask)) -> loses board.

(* * The check of a strategy *)

Definition key (board : N) : positive := N.succ_pos board.
Definition set_of (boards : list N) : PositiveSet.t :=
  fold_right (fun board set => PositiveSet.add (key board) set) PositiveSet.empty boards.

Definition is_free (board mask : N) : bool := N.land board mask =? 0.

(* The player to move at [board] can move to a board of the set, or wins at once. *)
Definition is_answered (set : PositiveSet.t) (board : N) : bool :=
  existsb (fun mask => if is_free board mask then PositiveSet.mem (key (N.lor board mask)) set else false) masks
  || forallb (fun mask => negb (is_free board mask)) masks.

(* Every move from [board] is answered, there is a move, and the board is not larger than a full one. *)
Definition is_lost (set : PositiveSet.t) (board : N) : bool :=
  (board <=? 65535)
  && existsb (is_free board) masks
  && forallb (fun mask => if is_free board mask then is_answered set (N.lor board mask) else true) masks.

Definition check (boards : list N) : bool := forallb (is_lost (set_of boards)) boards.

(* * The check is right *)

Lemma key_injective a b : key a = key b -> a = b.
Proof. unfold key. intro same. apply N.succ_inj. now rewrite <- !N.succ_pos_spec, same. Qed.

Lemma mem_set_of board boards : PositiveSet.mem (key board) (set_of boards) = true -> In board boards.
Proof.
  rewrite PositiveSet.mem_spec. induction boards as [| first rest IH]; simpl.
  - intro found. now apply PositiveSet.empty_spec in found.
  - rewrite PositiveSet.add_spec. intros [same | found].
    + left. symmetry. now apply key_injective.
    + right. now apply IH.
Qed.

Lemma masks_are_positive : forallb (fun mask => 0 <? mask) masks = true.
Proof. vm_compute. reflexivity. Qed.

(* A move makes the number of the board larger. *)
Lemma a_move_adds board mask : In mask masks -> N.land board mask = 0 -> board < N.lor board mask.
Proof.
  intros is_mask free.
  assert (positive := proj1 (forallb_forall _ _) masks_are_positive mask is_mask). apply N.ltb_lt in positive.
  rewrite <- (N.lxor_lor board mask free), <- (N.add_nocarry_lxor board mask free). lia.
Qed.

Lemma check_is_right boards : check boards = true -> forall board, In board boards -> loses board.
Proof.
  unfold check. rewrite forallb_forall. intro all.
  (* Induction from large boards to small ones. *)
  cut (forall size board, (N.to_nat (65535 - board) < size)%nat -> In board boards -> loses board).
  { intros by_size board. apply (by_size (S (N.to_nat (65535 - board)))). lia. }
  induction size as [| size IH]; intros board small member; [lia |].
  specialize (all board member) as lost. unfold is_lost in lost.
  rewrite !andb_true_iff, existsb_exists, forallb_forall in lost.
  destruct lost as [[bounded [move [is_mask free]]] answered].
  apply N.leb_le in bounded. apply N.eqb_eq in free.
  constructor; [now exists move |].
  intros mask is_move is_free_there. specialize (answered mask is_move).
  unfold is_free at 1 in answered. rewrite is_free_there in answered. simpl in answered.
  apply orb_true_iff in answered as [reply | over].
  - rewrite existsb_exists in reply. destruct reply as [other [is_other found]].
    destruct (is_free (N.lor board mask) other) eqn:free_then; [| discriminate].
    apply N.eqb_eq in free_then. apply mem_set_of in found.
    apply (wins_by_a_move _ other); auto. apply IH; auto.
    assert (first := a_move_adds _ _ is_move is_free_there).
    assert (second := a_move_adds _ _ is_other free_then).
    assert (lost := all _ found). unfold is_lost in lost. rewrite !andb_true_iff in lost.
    destruct lost as [[bounded_then _] _]. apply N.leb_le in bounded_then. lia.
  - apply wins_at_the_end. intros other is_other no. rewrite forallb_forall in over.
    specialize (over other is_other). unfold is_free in over. now rewrite no in over.
Qed.

(* * The strategy *)

Theorem the_second_player_wins : loses 0.
Proof. apply (check_is_right members); [vm_compute; reflexivity | now left]. Qed.

Print Assumptions the_second_player_wins.
