@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b.1
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 8
  %b.1.t2 = getelementptr i8, ptr %b, i32 4
  %b.1.t3 = load i32, ptr %b.1.t2, align 4
  %b.1.t4 = icmp ult i32 %b.1.t3, 8
  br i1 %b.1.t4, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 0, i32 %b.1.t3, i32 8) #1
  unreachable
ok.1:
  %ok.1.t1 = trunc i32 %b.1.t3 to i8
  %ok.1.t2 = shl i8 1, %ok.1.t1
  %ok.1.t3 = load i8, ptr %b.1.t1, align 1
  %ok.1.t4 = or i8 %ok.1.t3, %ok.1.t2
  store i8 %ok.1.t4, ptr %b.1.t1, align 1
  %ok.1.t5 = getelementptr i8, ptr %b, i32 8
  %ok.1.t6 = getelementptr i8, ptr %b, i32 8
  %ok.1.t7 = load i8, ptr %ok.1.t6, align 1
  %ok.1.t8 = getelementptr i8, ptr %b, i32 4
  %ok.1.t9 = load i32, ptr %ok.1.t8, align 4
  %ok.1.t10 = icmp ult i32 %ok.1.t9, 8
  br i1 %ok.1.t10, label %ok.2, label %bad.2, !prof !0
bad.2:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 1, i32 %ok.1.t9, i32 8) #1
  unreachable
ok.2:
  %ok.2.t1 = icmp ult i32 7, 8
  br i1 %ok.2.t1, label %ok.3, label %bad.3, !prof !0
bad.3:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 1, i32 7, i32 8) #1
  unreachable
ok.3:
  %ok.3.t1 = trunc i32 %ok.1.t9 to i16
  %ok.3.t2 = shl i16 2, 7
  %ok.3.t3 = sub i16 %ok.3.t2, 1
  %ok.3.t4 = shl i16 1, %ok.3.t1
  %ok.3.t5 = sub i16 %ok.3.t4, 1
  %ok.3.t6 = xor i16 %ok.3.t5, -1
  %ok.3.t7 = and i16 %ok.3.t3, %ok.3.t6
  %ok.3.t8 = trunc i16 %ok.3.t7 to i8
  %ok.3.t9 = or i8 0, %ok.3.t8
  %ok.3.t10 = or i8 %ok.1.t7, %ok.3.t9
  store i8 %ok.3.t10, ptr %ok.1.t5, align 1
  %ok.3.t11 = getelementptr i8, ptr %b, i32 9
  %ok.3.t12 = getelementptr i8, ptr %b, i32 4
  %ok.3.t13 = load i32, ptr %ok.3.t12, align 4
  %ok.3.t14 = getelementptr i8, ptr %b, i32 8
  %ok.3.t15 = load i8, ptr %ok.3.t14, align 1
  %ok.3.t16 = icmp ult i32 %ok.3.t13, 8
  %ok.3.t17 = select i1 %ok.3.t16, i32 %ok.3.t13, i32 0
  %ok.3.t18 = trunc i32 %ok.3.t17 to i8
  %ok.3.t19 = lshr i8 %ok.3.t15, %ok.3.t18
  %ok.3.t20 = trunc i8 %ok.3.t19 to i1
  %ok.3.t21 = select i1 %ok.3.t16, i1 %ok.3.t20, i1 false
  %ok.3.t22 = zext i1 %ok.3.t21 to i8
  store i8 %ok.3.t22, ptr %ok.3.t11, align 1
  br label %b.2
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}
